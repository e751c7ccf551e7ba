#include "app/ask/target.hpp"

namespace tgkeep::app {

namespace {

void append_escaped(std::string& text, std::string_view part) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~:,";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : part) {
    if (kPlain.find(c) != std::string_view::npos) {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += '%';
    text += kHex[byte >> 4U];
    text += kHex[byte & 0xfU];
  }
}

}  // namespace

Target::Target(std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    text_ += '/';
    append_escaped(text_, part);
  }
}

Target& Target::add(std::string_view name, std::string_view value) {
  text_ += asked_ ? '&' : '?';
  asked_ = true;
  text_ += name;
  text_ += '=';
  append_escaped(text_, value);
  return *this;
}

Target& Target::add(std::string_view name, std::int64_t value) {
  return add(name, std::string_view(std::to_string(value)));
}

}  // namespace tgkeep::app
