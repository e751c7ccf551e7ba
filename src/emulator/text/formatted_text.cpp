#include "emulator/text/formatted_text.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Moves entities by `cut` to the left and ends them at `end`.
void shift(json::array& entities, std::size_t cut, std::size_t end) {
  json::array kept;
  for (json::value& value : entities) {
    json::object& entity = value.as_object();
    const std::int64_t begin = number_in(entity, "offset") - static_cast<std::int64_t>(cut);
    const std::int64_t stop = begin + number_in(entity, "length");
    const std::int64_t from = std::max<std::int64_t>(begin, 0);
    const std::int64_t to = std::min(stop, static_cast<std::int64_t>(end));
    if (from >= to) continue;
    entity["offset"] = from;
    entity["length"] = to - from;
    kept.push_back(std::move(entity));
  }
  entities = std::move(kept);
}

void trim(FormattedText& formatted) {
  const std::size_t begin = formatted.text.find_first_not_of(blanks);
  if (begin == std::string::npos) {
    formatted = FormattedText();
    return;
  }
  formatted.text.erase(formatted.text.find_last_not_of(blanks) + 1);
  formatted.text.erase(0, begin);
  shift(formatted.entities, begin, utf16_length(formatted.text));
}

bool overlaps(const json::array& entities, const json::object& found) {
  const std::int64_t begin = number_in(found, "offset");
  const std::int64_t end = begin + number_in(found, "length");
  return std::ranges::any_of(entities, [&](const json::value& value) {
    const json::object& entity = value.as_object();
    const std::string_view type = string_in(entity, "type");
    const bool exclusive = type == "code" || type == "pre" || type == "text_link" || type == "text_mention" ||
                           type == string_in(found, "type");
    const std::int64_t offset = number_in(entity, "offset");
    return exclusive && begin < offset + number_in(entity, "length") && offset < end;
  });
}

void add_found(FormattedText& formatted) {
  for (json::value& found : find_entities(formatted.text)) {
    if (!overlaps(formatted.entities, found.as_object())) formatted.entities.push_back(std::move(found));
  }
  std::ranges::stable_sort(formatted.entities, {},
                           [](const json::value& entity) { return number_in(entity.as_object(), "offset"); });
}

Checked<FormattedText> parse(std::string_view text, std::string_view mode, std::string_view entities) {
  if (telegram::same_ignoring_case(mode, "HTML")) return parse_html(text);
  if (telegram::same_ignoring_case(mode, "Markdown")) return parse_markdown(text);
  if (telegram::same_ignoring_case(mode, "MarkdownV2")) return parse_markdown_v2(text);
  if (!mode.empty()) return Refusal("unsupported parse_mode");
  FormattedText plain{std::string(text)};
  if (std::optional<json::array> given = parse_array(entities)) plain.entities = *std::move(given);
  return plain;
}

}  // namespace

std::size_t utf16_length(std::string_view utf8) noexcept {
  std::size_t length = 0;
  for (const char byte : utf8) {
    const auto code = static_cast<unsigned char>(byte);
    length += (code & 0xC0U) != 0x80U;
    length += code >= 0xF0U;
  }
  return length;
}

std::size_t code_points(std::string_view utf8) noexcept {
  std::size_t count = 0;
  for (const char byte : utf8) count += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  return count;
}

json::object make_entity(std::string_view type, std::size_t offset, std::size_t length) {
  json::object entity;
  entity["offset"] = static_cast<std::int64_t>(offset);
  entity["length"] = static_cast<std::int64_t>(length);
  entity["type"] = json_text(type);
  return entity;
}

Checked<FormattedText> format_text(std::string_view text, std::string_view parse_mode,
                                   std::string_view entities) {
  Checked<FormattedText> formatted = parse(text, parse_mode, entities);
  if (!formatted) return formatted;
  trim(*formatted);
  add_found(*formatted);
  return formatted;
}

}  // namespace tgkeep::emulator
