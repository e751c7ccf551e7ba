#include "bot/command_text.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <tgkeep/error.hpp>

#include "bot/update_fields.hpp"

namespace tgkeep::bot {

namespace {

bool is_name_char(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_name(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, is_name_char);
}

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_username(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// Entities count UTF-16 units; in a command these are bytes, and what is no command is refused by its
/// letters.
std::size_t command_length(const json::object& message) {
  const json::value* const entities = message.if_contains("entities");
  if (entities == nullptr || !entities->is_array()) return 0;
  for (const json::value& value : entities->get_array()) {
    const json::object* const entity = value.if_object();
    if (entity == nullptr || text_in(*entity, "type") != "bot_command") continue;
    if (number_in(*entity, "offset") != 0) continue;
    return static_cast<std::size_t>(std::max<std::int64_t>(0, number_in(*entity, "length").value_or(0)));
  }
  return 0;
}

std::string_view trim_front(std::string_view text) noexcept {
  const std::size_t from = text.find_first_not_of(" \t\r\n\v\f");
  return from == text.npos ? std::string_view() : text.substr(from);
}

[[noreturn]] void refuse(std::string_view written, std::string_view why) {
  throw Failure(Error(Errc::misuse, "command(\"" + std::string(written) + "\"): " + std::string(why)));
}

}  // namespace

std::optional<CommandText> read_command(const json::object& message) {
  const std::string_view text = text_in(message, "text");
  const std::size_t length = command_length(message);
  if (length < 2 || length > text.size() || text.front() != '/') return std::nullopt;
  const std::string_view command = text.substr(1, length - 1);
  const std::size_t at = command.find('@');
  const std::string_view name = command.substr(0, at);
  const std::string_view addressee = at == command.npos ? std::string_view() : command.substr(at + 1);
  if (!is_name(name) || (at != command.npos && !is_name(addressee))) return std::nullopt;
  return CommandText(name, addressee, trim_front(text.substr(length)));
}

CommandPattern::CommandPattern(std::string_view written) {
  if (written.starts_with('/')) refuse(written, "write the name without the slash");
  const std::size_t at = written.find('@');
  name_ = written.substr(0, at);
  if (at != written.npos) addressee_ = written.substr(at + 1);
  if (!is_name(name_) || (addressee_ && !is_name(*addressee_))) {
    refuse(written, "names of commands have only letters, digits and _, and one @ before a bot's username");
  }
}

bool CommandPattern::matches(const CommandText& command, std::string_view own_name) const noexcept {
  if (command.name != name_) return false;
  if (addressee_) return command.addressee == *addressee_;
  return command.addressee.empty() || same_username(command.addressee, own_name);
}

}  // namespace tgkeep::bot
