// parse_mode HTML.

#include <array>
#include <boost/json/array.hpp>
#include <charconv>

#include "emulator/text/open_entities.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

namespace {

using Tag = std::pair<std::string_view, std::string_view>;

constexpr std::array tags = {
    Tag("b", "bold"),
    Tag("strong", "bold"),
    Tag("i", "italic"),
    Tag("em", "italic"),
    Tag("u", "underline"),
    Tag("ins", "underline"),
    Tag("s", "strikethrough"),
    Tag("strike", "strikethrough"),
    Tag("del", "strikethrough"),
    Tag("tg-spoiler", "spoiler"),
    Tag("span", "spoiler"),
    Tag("a", "text_link"),
    Tag("tg-emoji", "custom_emoji"),
    Tag("code", "code"),
    Tag("pre", "pre"),
    Tag("blockquote", "blockquote"),
};

std::string_view type_of(std::string_view tag) {
  for (const auto& [name, type] : tags) {
    if (name == tag) return type;
  }
  return {};
}

void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | code >> 6U);
    text += static_cast<char>(0x80U | (code & 63U));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0U | code >> 12U);
    text += static_cast<char>(0x80U | (code >> 6U & 63U));
    text += static_cast<char>(0x80U | (code & 63U));
  } else {
    text += static_cast<char>(0xF0U | code >> 18U);
    text += static_cast<char>(0x80U | (code >> 12U & 63U));
    text += static_cast<char>(0x80U | (code >> 6U & 63U));
    text += static_cast<char>(0x80U | (code & 63U));
  }
}

/// The character that `&…;` at the start of `text` stands for, and its length; 0 when it is none.
std::size_t take_reference(std::string_view text, std::string& character) {
  using Name = std::pair<std::string_view, std::string_view>;
  for (const auto& [name, meant] :
       {Name("&lt;", "<"), Name("&gt;", ">"), Name("&amp;", "&"), Name("&quot;", "\"")}) {
    if (!text.starts_with(name)) continue;
    character = meant;
    return name.size();
  }
  if (!text.starts_with("&#")) return 0;
  const bool hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const char* const begin = text.data() + (hex ? 3 : 2);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), code, hex ? 16 : 10);
  if (error != std::errc() || end == text.data() + text.size() || *end != ';' || code == 0 ||
      code > 0x10FFFF) {
    return 0;
  }
  append_utf8(character, code);
  return static_cast<std::size_t>(end - text.data()) + 1;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    std::string character;
    std::size_t length = text[0] == '&' ? take_reference(text, character) : 0;
    if (length == 0) {
      character = text.substr(0, 1);
      length = 1;
    }
    plain += character;
    text.remove_prefix(length);
  }
  return plain;
}

/// The value of an attribute in what stands between a tag's name and its end.
std::string attribute(std::string_view attributes, std::string_view name) {
  std::size_t at = attributes.find(name);
  if (at == std::string_view::npos) return {};
  at += name.size();
  if (at >= attributes.size() || attributes[at] != '=') return {};
  std::string_view value = attributes.substr(at + 1);
  if (value.starts_with('"') || value.starts_with('\'')) {
    return unescaped(value.substr(1, value.find(value[0], 1) - 1));
  }
  return unescaped(value.substr(0, value.find(' ')));
}

void add_attributes(OpenEntity& entity, std::string_view tag, std::string_view attributes) {
  if (tag == "a") entity.entity["url"] = attribute(attributes, "href");
  if (tag == "tg-emoji") entity.entity["custom_emoji_id"] = attribute(attributes, "emoji-id");
  if (tag == "blockquote" && attributes.find("expandable") != std::string_view::npos) {
    entity.entity["type"] = "expandable_blockquote";
  }
}

std::string quoted(std::string_view before, std::string_view name, std::string_view after) {
  std::string text(before);
  return text.append("\"").append(name).append("\"").append(after);
}

class HtmlReader {
 public:
  explicit HtmlReader(std::string_view text) : text_(text) {}

  Checked<FormattedText> read() {
    while (at_ < text_.size()) {
      if (text_[at_] == '<') {
        if (std::optional<Refusal> wrong = take_tag()) return *wrong;
      } else {
        take_character();
      }
    }
    if (open_.empty()) return open_.take();
    return bad_entities(quoted("Can't find end tag corresponding to start tag ", open_.last().mark, ""));
  }

 private:
  void take_character() {
    std::string character;
    std::size_t length = text_[at_] == '&' ? take_reference(text_.substr(at_), character) : 0;
    if (length == 0) {
      length = std::min(text_.find_first_of("<&", at_ + 1), text_.size()) - at_;
      character = text_.substr(at_, length);
    }
    open_.add(character);
    at_ += length;
  }

  std::optional<Refusal> take_tag() {
    const std::size_t begin = at_;
    const std::size_t end = text_.find('>', at_);
    const std::string place = " at byte offset " + std::to_string(begin);
    if (end == std::string_view::npos) return bad_entities("Unclosed start tag" + place);
    std::string_view inside = text_.substr(begin + 1, end - begin - 1);
    at_ = end + 1;
    const bool closes = inside.starts_with('/');
    if (closes) inside.remove_prefix(1);
    const std::size_t blank = std::min(inside.find_first_of(" \n\t"), inside.size());
    std::string name(inside.substr(0, blank));
    for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (closes) return close(name, place);
    const std::string_view attributes = inside.substr(blank);
    const std::string_view type = type_of(name);
    const bool is_spoiler = name != "span" || attribute(attributes, "class") == "tg-spoiler";
    if (type.empty()) return bad_entities(quoted("Unsupported start tag ", name, place));
    if (!is_spoiler) return bad_entities("Tag \"span\" must have class \"tg-spoiler\"" + place);
    const bool in_pre = name == "code" && !open_.empty() && open_.last().mark == "pre";
    const std::string language = in_pre ? attribute(attributes, "class") : "";
    if (language.starts_with("language-")) open_.last().entity["language"] = language.substr(9);
    open_.open(name, type, begin);
    add_attributes(open_.last(), name, attributes);
    if (in_pre) open_.last().entity["type"] = "";  // it is the same thing
    return std::nullopt;
  }

  std::optional<Refusal> close(const std::string& name, const std::string& place) {
    if (open_.empty()) return bad_entities("Unexpected end tag" + place);
    if (!name.empty() && name != open_.last().mark) {
      return bad_entities("Unmatched end tag" + place + ", expected \"</" + open_.last().mark +
                          ">\", found \"</" + name + ">\"");
    }
    open_.close_last();
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  OpenEntities open_;
};

}  // namespace

Checked<FormattedText> parse_html(std::string_view text) {
  Checked<FormattedText> read = HtmlReader(text).read();
  if (!read) return read;
  json::array kept;
  for (json::value& entity : read->entities) {
    const std::string_view type = string_in(entity.as_object(), "type");
    const bool linked = type != "text_link" || !string_in(entity.as_object(), "url").empty();
    if (!type.empty() && linked) kept.push_back(std::move(entity));
  }
  read->entities = std::move(kept);
  return read;
}

}  // namespace tgkeep::emulator
