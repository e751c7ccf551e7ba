// parse_mode Markdown and MarkdownV2.

#include <array>
#include <boost/json/array.hpp>

#include "emulator/text/open_entities.hpp"

namespace tgkeep::emulator {

namespace {

class Mark {
 public:
  constexpr Mark(std::string_view mark, std::string_view type, std::string_view name)
      : mark(mark), type(type), name(name) {}
  std::string_view mark;
  std::string_view type;
  std::string_view name;  ///< in errors
};

// Longer ones first.
constexpr std::array marks = {
    Mark("```", "pre", "Pre"), Mark("||", "spoiler", "Spoiler"), Mark("__", "underline", "Underline"),
    Mark("*", "bold", "Bold"), Mark("_", "italic", "Italic"),    Mark("~", "strikethrough", "Strikethrough"),
    Mark("`", "code", "Code"),
};
constexpr std::string_view reserved = "_*[]()~`>#+-=|{}.!";

const Mark* mark_at(std::string_view text, bool old) {
  for (const Mark& mark : marks) {
    const bool known = !old || mark.mark == "```" || mark.mark == "*" || mark.mark == "_" || mark.mark == "`";
    if (known && text.starts_with(mark.mark)) return &mark;
  }
  return nullptr;
}

std::string_view name_of(std::string_view mark) {
  for (const Mark& known : marks) {
    if (known.mark == mark) return known.name;
  }
  return mark == ">" ? "Blockquote" : "TextUrl";
}

class MarkdownReader {
 public:
  MarkdownReader(std::string_view text, bool old) : text_(text), old_(old) {}

  Checked<FormattedText> read() {
    while (at_ < text_.size()) {
      if (std::optional<Refusal> wrong = step()) return *wrong;
    }
    end_line();
    if (open_.empty()) return open_.take();
    const std::string byte = std::to_string(open_.last().byte);
    if (old_) return bad_entities("Can't find end of the entity starting at byte offset " + byte);
    return bad_entities("Can't find end of " + std::string(name_of(open_.last().mark)) +
                        " entity at byte offset " + byte);
  }

 private:
  bool in_code() { return !open_.empty() && (open_.last().mark == "`" || open_.last().mark == "```"); }
  bool at_line_start() const { return at_ == 0 || text_[at_ - 1] == '\n'; }

  std::optional<Refusal> step() {
    const std::string_view rest = text_.substr(at_);
    if (take_escaped(rest)) return std::nullopt;
    if (!open_.empty() && closes_last(rest)) return std::nullopt;
    if (in_code()) return take(1);
    if (!old_ && at_line_start() && rest[0] == '>') {
      quote();
      return std::nullopt;
    }
    if (rest[0] == '\n') {
      end_line();
      return take(1);
    }
    if (rest[0] == '[' || (!old_ && rest.starts_with("!["))) {
      if (old_ && rest.find("](") == std::string_view::npos) return take(1);
      open_.open("]", "text_link", at_);
      at_ += rest[0] == '!' ? 2 : 1;
      return std::nullopt;
    }
    if (const Mark* mark = mark_at(rest, old_)) {
      open_.open(mark->mark, mark->type, at_);
      at_ += mark->mark.size();
      if (mark->mark == "```") take_language();
      return std::nullopt;
    }
    const bool is_reserved = !old_ && reserved.find(rest[0]) != std::string_view::npos;
    if (!is_reserved) return take(1);
    return bad_entities("Character '" + std::string(1, rest[0]) +
                        "' is reserved and must be escaped with the preceding '\\'");
  }

  bool take_escaped(std::string_view rest) {
    if (rest[0] != '\\' || rest.size() < 2) return false;
    const bool meant =
        old_ ? std::string_view("_*`[").find(rest[1]) != std::string_view::npos && !in_code() : rest[1] > 0;
    if (!meant) return false;
    open_.add(rest.substr(1, 1));
    at_ += 2;
    return true;
  }

  bool closes_last(std::string_view rest) {
    OpenEntity& last = open_.last();
    if (last.mark == ">" || !rest.starts_with(last.mark)) return false;
    if (last.mark == "_" && rest.starts_with("__") && !old_) return false;
    if (last.mark != "]") {
      at_ += last.mark.size();
      open_.close_last();
      return true;
    }
    ++at_;
    if (at_ < text_.size() && text_[at_] == '(') {
      const std::size_t end = text_.find(')', at_);
      const std::string url(text_.substr(at_ + 1, std::min(end, text_.size()) - at_ - 1));
      constexpr std::string_view emoji = "tg://emoji?id=";
      if (url.starts_with(emoji)) {
        last.entity["type"] = "custom_emoji";
        last.entity["custom_emoji_id"] = url.substr(emoji.size());
      } else {
        last.entity["url"] = url;
      }
      at_ = end == std::string_view::npos ? text_.size() : end + 1;
    }
    open_.close_last();
    return true;
  }

  void quote() {
    ++at_;
    quoting_ = true;
    if (open_.empty() || open_.last().mark != ">") open_.open(">", "blockquote", at_ - 1);
  }

  void end_line() {
    if (!quoting_) return;
    const bool goes_on = at_ + 1 < text_.size() && text_[at_] == '\n' && text_[at_ + 1] == '>';
    if (goes_on || open_.empty() || open_.last().mark != ">") return;
    quoting_ = false;
    open_.close_last();
  }

  void take_language() {
    const std::size_t end = text_.find_first_of("\n`", at_);
    if (end == std::string_view::npos || text_[end] != '\n') return;
    const std::string_view language = text_.substr(at_, end - at_);
    if (language.find(' ') != std::string_view::npos) return;
    if (!language.empty()) open_.last().entity["language"] = json_text(language);
    at_ = end + 1;
  }

  std::optional<Refusal> take(std::size_t length) {
    open_.add(text_.substr(at_, length));
    at_ += length;
    return std::nullopt;
  }

  std::string_view text_;
  bool old_;
  bool quoting_ = false;
  std::size_t at_ = 0;
  OpenEntities open_;
};

}  // namespace

Checked<FormattedText> parse_markdown(std::string_view text) {
  return MarkdownReader(text, true).read();
}

Checked<FormattedText> parse_markdown_v2(std::string_view text) {
  return MarkdownReader(text, false).read();
}

}  // namespace tgkeep::emulator
