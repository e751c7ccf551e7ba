#pragma once
// What the answers to requests are made with.

#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "admin/desk.hpp"
#include "admin/params.hpp"
#include "admin/premises.hpp"
#include "http/server.hpp"
#include "loop/task_group.hpp"

namespace tgkeep::admin {

class ReplayJob;

/// Lives as long as the desk.
class Office {
 public:
  Office(Premises& premises, DeskOptions options);
  Premises& premises;
  DeskOptions options;
  std::map<BotId, std::shared_ptr<ReplayJob>> replays;  ///< the last one of each bot
  /// Each stream of events holds a copy.
  std::shared_ptr<const int> watchers = std::make_shared<const int>(0);
  bool closing = false;
  loop::TaskGroup tasks;
};

/// A request whose route is known.
class Inquiry {
 public:
  Inquiry() = default;
  BotId bot;                        ///< of routes with BOT: there when the request came
  std::vector<std::string> places;  ///< what stood for the other capitals of its route
  Params params;
};

/// Everything a route's answer is made by.
using Work = asio::awaitable<http::ServerReply> (*)(Office& office, Inquiry inquiry);

inline Office::Office(Premises& premises, DeskOptions options)
    : premises(premises), options(std::move(options)), tasks(premises.loop(), this->options.log) {}

static_assert(!std::is_aggregate_v<Office> && !std::is_aggregate_v<Inquiry>);

}  // namespace tgkeep::admin
