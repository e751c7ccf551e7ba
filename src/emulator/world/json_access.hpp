#pragma once
// Boost.JSON's objects, read and written with std::string_view.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tgkeep::emulator {

namespace json = boost::json;

inline json::string_view json_view(std::string_view text) noexcept {
  return {text.data(), text.size()};
}
inline json::string json_text(std::string_view text) {
  return json::string(json_view(text));
}

/// nullptr when there is no such member.
inline const json::value* member_of(const json::object& object, std::string_view name) noexcept {
  return object.if_contains(json_view(name));
}
inline json::value* member_of(json::object& object, std::string_view name) noexcept {
  return object.if_contains(json_view(name));
}
/// "" when there is no such member, or it is no string.
std::string_view string_in(const json::object& object, std::string_view name) noexcept;
/// `missing` when there is no such member, or it is no whole number (also as text).
std::int64_t number_in(const json::object& object, std::string_view name, std::int64_t missing = 0) noexcept;
/// False when there is no such member.
bool flag_in(const json::object& object, std::string_view name) noexcept;
/// nullptr when there is no such member, or it is no object or array.
const json::object* object_in(const json::object& object, std::string_view name) noexcept;
const json::array* array_in(const json::object& object, std::string_view name) noexcept;

/// Nothing when `text` is no JSON, or null.
std::optional<json::value> parse_json(std::string_view text);
std::optional<json::object> parse_object(std::string_view text);
std::optional<json::array> parse_array(std::string_view text);

/// All of `text` as a whole number.
std::optional<std::int64_t> whole_number(std::string_view text) noexcept;

}  // namespace tgkeep::emulator
