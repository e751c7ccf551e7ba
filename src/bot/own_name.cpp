#include "bot/own_name.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <optional>

#include "bot/command_text.hpp"
#include "bot/update_fields.hpp"

namespace tgkeep::bot {

std::string OwnName::get() const {
  const std::lock_guard lock(mutex_);
  return name_;
}

void OwnName::set(std::string name) {
  const std::lock_guard lock(mutex_);
  name_ = std::move(name);
}

bool names_a_bot(const BotContext& context) {
  if (!is_new_message(context.kind())) return false;
  const auto command = read_command(context.content());
  return command && !command->addressee.empty();
}

asio::awaitable<std::string> ask_own_name(BotContext context) {
  const ApiResult answer = co_await context.call("getMe", "{}");
  const boost::json::value me = boost::json::parse(answer.value());
  const std::string name(text_in(me.as_object(), "username"));
  if (name.empty()) {
    throw Failure(
        Error(Errc::bad_answer, "getMe gave no username: give it to Bot(username) for commands with @"));
  }
  co_return name;
}

}  // namespace tgkeep::bot
