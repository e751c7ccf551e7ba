#include "app/ask/json_fields.hpp"

namespace tgkeep::app {

const json::value& member(const json::value& object, std::string_view name) {
  static const json::value kNone;
  const json::object* const members = object.if_object();
  if (members == nullptr) return kNone;
  const json::value* const found = members->if_contains(name);
  return found == nullptr ? kNone : *found;
}

std::string text_at(const json::value& object, std::string_view name) {
  const json::value& value = member(object, name);
  return value.is_string() ? std::string(value.get_string()) : std::string();
}

std::int64_t number_at(const json::value& object, std::string_view name) {
  const json::value& value = member(object, name);
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64()) return static_cast<std::int64_t>(value.get_uint64());
  return value.is_double() ? static_cast<std::int64_t>(value.get_double()) : 0;
}

std::optional<double> seconds_at(const json::value& object, std::string_view name) {
  const json::value& value = member(object, name);
  if (!value.is_number()) return std::nullopt;
  return value.to_number<double>();
}

std::optional<WallTime> time_at(const json::value& object, std::string_view name) {
  if (!member(object, name).is_number()) return std::nullopt;
  return from_millis(number_at(object, name));
}

bool flag_at(const json::value& object, std::string_view name) {
  const json::value& value = member(object, name);
  return value.is_bool() && value.get_bool();
}

const json::array& list_at(const json::value& object, std::string_view name) {
  static const json::array kNone;
  const json::value& value = member(object, name);
  return value.is_array() ? value.get_array() : kNone;
}

}  // namespace tgkeep::app
