#pragma once
// One update as a bot's handlers see it: its JSON, what is mostly read from it, answers to it.

#include <boost/asio/awaitable.hpp>
#include <boost/json/fwd.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/api.hpp>
#include <tgkeep/handler.hpp>
#include <tgkeep/outcome.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>

namespace tgkeep {

namespace bot {
class Reading;
}

/// A Context with what a bot reads from its update. Copies share one update and one settlement.
class BotContext : public Context {
 public:
  /// For `Bot` and for tests of single middleware. Parses nothing yet.
  explicit BotContext(Context context);

  /// The whole update, parsed when first asked for.
  const boost::json::value& json() const;
  /// The object of the update's kind: `json().at(kind())`. An empty one when there is none.
  const boost::json::object& content() const;
  /// `text`, else `caption`, of a message of any kind; "" when there is none.
  std::string_view text() const;
  /// Of the message, of the message under a button, or the chat something happened in.
  std::optional<std::int64_t> chat_id() const;
  /// The user who did it.
  std::optional<std::int64_t> from_id() const;
  /// After `command`: what follows it, without blanks in front. Else "".
  std::string_view match() const;

  /// Leaves a sendMessage to this update's chat (business connection and topic too, if it has them) to the
  /// outbox. Throws Failure (misuse) for an update that has no chat to write to.
  void reply(std::string_view text) const;
  /// A direct call, for an answer needed now; `params` is a JSON object. Methods whose name begins with "get"
  /// are marked repeatable. `Context::api` has the rest.
  [[nodiscard("co_await it, or nothing is sent")]] asio::awaitable<ApiResult> call(
      std::string method, std::string params, Duration timeout = std::chrono::seconds(60)) const;
  /// How the update ends, instead of `done`; the last one counts. A throw counts more.
  void settle(Outcome outcome) const;

 private:
  friend class Bot;
  friend class Composer;
  std::shared_ptr<bot::Reading> reading_;
};

static_assert(!std::is_aggregate_v<BotContext>);

}  // namespace tgkeep
