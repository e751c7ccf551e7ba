#pragma once
// Reads members of an answer; what is not there, or is of another kind, is as good as empty: the process that
// answered may be of another version.

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/time.hpp>

namespace tgkeep::app {

namespace json = boost::json;

/// A member of an object; null when there is none.
const json::value& member(const json::value& object, std::string_view name);
std::string text_at(const json::value& object, std::string_view name);
std::int64_t number_at(const json::value& object, std::string_view name);
/// Nothing when it is null.
std::optional<double> seconds_at(const json::value& object, std::string_view name);
std::optional<WallTime> time_at(const json::value& object, std::string_view name);
bool flag_at(const json::value& object, std::string_view name);
/// Empty when it is none.
const json::array& list_at(const json::value& object, std::string_view name);

}  // namespace tgkeep::app
