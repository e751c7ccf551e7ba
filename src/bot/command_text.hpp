#pragma once
// Commands in a message: what counts as one, and for whom it is. Pure.

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace tgkeep::bot {

namespace json = boost::json;

/// The command a message begins with. Views into the message.
class CommandText {
 public:
  CommandText(std::string_view name, std::string_view addressee, std::string_view rest)
      : name(name), addressee(addressee), rest(rest) {}
  std::string_view name;       ///< without slash and addressee
  std::string_view addressee;  ///< behind @; "" when nobody is named
  std::string_view rest;       ///< what follows it, without blanks in front
};

/// What Telegram itself marked as a command (`bot_command`) at the very start of the text. Captions have
/// none.
std::optional<CommandText> read_command(const json::object& message);

/// What a bot listens to: a name alone, or with @ for one addressee only.
class CommandPattern {
 public:
  /// Throws Failure (misuse) for what no command can be.
  explicit CommandPattern(std::string_view written);
  /// `own_name` is the bot's username; commands that name another bot are not its own.
  bool matches(const CommandText& command, std::string_view own_name) const noexcept;

 private:
  std::string name_;
  std::optional<std::string> addressee_;
};

static_assert(!std::is_aggregate_v<CommandText> && !std::is_aggregate_v<CommandPattern>);

}  // namespace tgkeep::bot
