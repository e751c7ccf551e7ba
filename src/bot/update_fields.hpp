#pragma once
// Where the ids and texts of an update stand in its JSON, by kind.

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tgkeep::bot {

namespace json = boost::json;

/// The member, if it is an object.
const json::object* object_in(const json::object& parent, std::string_view name) noexcept;
/// The member, if it is a text; else "".
std::string_view text_in(const json::object& parent, std::string_view name) noexcept;
/// The member, if it is a whole number.
std::optional<std::int64_t> number_in(const json::object& parent, std::string_view name) noexcept;

/// The message an update is (of any kind of message or post), null for other kinds.
const json::object* message_of(std::string_view kind, const json::object& content) noexcept;
/// The same, or the message under the button that was pressed.
const json::object* message_near(std::string_view kind, const json::object& content) noexcept;
/// New messages and channel posts: what commands and texts are looked for in.
bool is_new_message(std::string_view kind) noexcept;

std::optional<std::int64_t> chat_id_of(std::string_view kind, const json::object& content) noexcept;
std::optional<std::int64_t> from_id_of(const json::object& content) noexcept;

}  // namespace tgkeep::bot
