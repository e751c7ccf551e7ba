#pragma once
// What a bot asks for at its face beside its updates: kinds, and that pending updates are dropped.
// Remembered.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/store.hpp>
#include <vector>

#include "face/asked_kinds.hpp"
#include "face/bot_sink.hpp"
#include "face/own_webhook.hpp"

namespace tgkeep::face {

/// Everything on the loop's thread. What it gets must outlive it.
class Wishes {
 public:
  using Allow = std::function<void(std::vector<std::string>)>;
  /// Takes up what is remembered: tells `allow`, if it is there and the bot has ever asked.
  Wishes(Clock& clock, Store& store, BotSink& sink, OwnSettings& settings, std::optional<Kinds> configured,
         Allow allow, Log log);

  /// The parameter allowed_updates. What is stored already is handed out all the same.
  void allow(std::string_view text);
  /// What it asked for last, else what is configured; empty: the default.
  Kinds kinds() const;
  /// All that wait or are under way now, but for the last `kept`. misuse when the store can't be searched.
  asio::awaitable<Result<void>> drop_pending(std::int64_t kept);

 private:
  void tell() const;

  Clock& clock_;
  Store& store_;
  BotSink& sink_;
  OwnSettings& settings_;
  std::optional<Kinds> configured_;
  Allow allow_;
  Log log_;
};

}  // namespace tgkeep::face
