#include "app/line_format.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace tgkeep::app {

namespace {

/// Length of the valid UTF-8 character `text` begins with; 0 when it begins with none.
std::size_t character(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(at) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

/// ASCII controls, and the C1 controls (U+0080-U+009F) that terminals also obey.
bool is_control(std::string_view character) {
  const auto first = static_cast<std::uint8_t>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<std::uint8_t>(character[1]) < 0xA0;
}

void append_text(std::string& line, std::string_view value) {
  const bool plain = !value.empty() && value.find_first_of(" \"=\\") == std::string_view::npos;
  if (!plain) line += '"';
  while (!value.empty()) {
    const std::size_t valid = character(value);
    const std::string_view piece = value.substr(0, valid == 0 ? 1 : valid);
    if (piece == "\n") {
      line += "\\n";
    } else if (valid == 0 || is_control(piece)) {
      for (const char byte : piece) line += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(byte));
    } else {
      if (piece == "\"" || piece == "\\") line += '\\';
      line += piece;
    }
    value.remove_prefix(piece.size());
  }
  if (!plain) line += '"';
}

void append_json(std::string& line, std::string_view value) {
  line += '"';
  while (!value.empty()) {
    const std::size_t valid = character(value);
    const std::string_view piece = value.substr(0, valid == 0 ? 1 : valid);
    if (valid == 0) {
      line += "\xEF\xBF\xBD";
    } else if (is_control(piece)) {
      line += fmt::format("\\u{:04x}", static_cast<std::uint8_t>(piece.back()));
    } else {
      if (piece == "\"" || piece == "\\") line += '\\';
      line += piece;
    }
    value.remove_prefix(piece.size());
  }
  line += '"';
}

}  // namespace

std::string text_line(std::string_view event, std::span<const LogField> fields) {
  std::string line(event);
  for (const LogField& field : fields) {
    line += ' ';
    line += field.name();
    line += '=';
    append_text(line, field.value());
  }
  return line;
}

std::string json_line(std::string_view event, std::span<const LogField> fields) {
  std::string line = "\"event\":";
  append_json(line, event);
  for (const LogField& field : fields) {
    line += ',';
    append_json(line, field.name());
    line += ':';
    append_json(line, field.value());
  }
  return line;
}

}  // namespace tgkeep::app
