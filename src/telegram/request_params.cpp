#include "telegram/request_params.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>

namespace tgkeep::telegram {

namespace json = boost::json;

namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace

bool same_ignoring_case(std::string_view one, std::string_view other) noexcept {
  return std::ranges::equal(one, other, [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view Params::text(std::string_view name) const noexcept {
  for (const auto& [key, value] : values_) {
    if (key == name) return value;
  }
  return {};
}

bool Params::has(std::string_view name) const noexcept {
  return std::ranges::any_of(values_, [name](const auto& value) { return value.first == name; });
}

std::int64_t Params::number(std::string_view name, std::int64_t missing) const noexcept {
  if (!has(name)) return missing;
  const std::string_view digits = text(name);
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

bool Params::flag(std::string_view name) const noexcept {
  const std::string_view value = trimmed(text(name));
  return same_ignoring_case(value, "true") || same_ignoring_case(value, "yes") || value == "1";
}

std::size_t Params::text_size() const noexcept {
  std::size_t size = 0;
  for (const auto& [name, value] : values_) size += name.size() + value.size();
  return size;
}

const Upload* Params::upload(std::string_view name) const noexcept {
  constexpr std::string_view attached = "attach://";
  const std::string_view value = text(name);
  return part(value.starts_with(attached) ? value.substr(attached.size()) : name);
}

const Upload* Params::part(std::string_view name) const noexcept {
  const auto found = std::ranges::find(files_, name, &Upload::name);
  return found == files_.end() ? nullptr : &*found;
}

const std::string* Params::file(std::string_view name) const noexcept {
  const Upload* found = upload(name);
  return found == nullptr ? nullptr : &found->bytes;
}

std::string lower_case(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), lower);
  return small;
}

void add_body(Params& params, std::string_view content_type, std::string_view body) {
  const std::string type = lower_case(content_type);
  if (type.find("application/json") != std::string::npos) add_json(params, body);
  if (type.find("application/x-www-form-urlencoded") != std::string::npos) add_form(params, body);
  if (type.find("multipart/form-data") != std::string::npos) add_multipart(params, content_type, body);
}

std::string percent_decoded(std::string_view text, bool plus) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    const bool escape = text[i] == '%' && i + 2 < text.size() &&
                        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    if (escape) {
      decoded += static_cast<char>(byte);
      i += 2;
    } else {
      decoded += plus && text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

void add_form(Params& params, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    params.add(percent_decoded(pair.substr(0, equals), true), percent_decoded(value, true));
  }
}

void add_json(Params& params, std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !value.is_object()) return;
  for (const auto& member : value.get_object()) {
    std::string content;
    if (const json::string* string = member.value().if_string()) {
      content.assign(string->data(), string->size());
    } else {
      content = json::serialize(member.value());
    }
    params.add(std::string(member.key()), std::move(content));
  }
}

}  // namespace tgkeep::telegram
