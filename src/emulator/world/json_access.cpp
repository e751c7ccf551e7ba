#include "emulator/world/json_access.hpp"

#include <charconv>

namespace tgkeep::emulator {

std::string_view string_in(const json::object& object, std::string_view name) noexcept {
  const json::value* value = member_of(object, name);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view() : std::string_view(text->data(), text->size());
}

std::int64_t number_in(const json::object& object, std::string_view name, std::int64_t missing) noexcept {
  const json::value* value = member_of(object, name);
  if (value == nullptr) return missing;
  if (const std::int64_t* number = value->if_int64()) return *number;
  if (const std::uint64_t* number = value->if_uint64()) return static_cast<std::int64_t>(*number);
  if (const double* number = value->if_double()) return static_cast<std::int64_t>(*number);
  return whole_number(string_in(object, name)).value_or(missing);
}

bool flag_in(const json::object& object, std::string_view name) noexcept {
  const json::value* value = member_of(object, name);
  const bool* flag = value == nullptr ? nullptr : value->if_bool();
  return flag != nullptr && *flag;
}

const json::object* object_in(const json::object& object, std::string_view name) noexcept {
  const json::value* value = member_of(object, name);
  return value == nullptr ? nullptr : value->if_object();
}

const json::array* array_in(const json::object& object, std::string_view name) noexcept {
  const json::value* value = member_of(object, name);
  return value == nullptr ? nullptr : value->if_array();
}

std::optional<json::value> parse_json(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(json_view(text), error);
  if (error || value.is_null()) return std::nullopt;
  return value;
}

std::optional<json::object> parse_object(std::string_view text) {
  std::optional<json::value> value = parse_json(text);
  if (!value || !value->is_object()) return std::nullopt;
  return std::move(value->get_object());
}

std::optional<json::array> parse_array(std::string_view text) {
  std::optional<json::value> value = parse_json(text);
  if (!value || !value->is_array()) return std::nullopt;
  return std::move(value->get_array());
}

std::optional<std::int64_t> whole_number(std::string_view text) noexcept {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace tgkeep::emulator
