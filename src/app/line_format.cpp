#include "app/line_format.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "words/code_point.hpp"

namespace tgkeep::app {

namespace {

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
    const words::CodePoint point = words::first_code_point(value);
    const std::string_view piece = value.substr(0, point.bytes);
    if (piece == "\n") {
      line += "\\n";
    } else if (!point.valid || is_control(piece)) {
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
    const words::CodePoint point = words::first_code_point(value);
    const std::string_view piece = value.substr(0, point.bytes);
    if (!point.valid) {
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
