#pragma once
// What the answers to requests are made with.

#include <boost/asio/awaitable.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "admin/desk.hpp"
#include "admin/params.hpp"
#include "admin/premises.hpp"
#include "http/server.hpp"

namespace tgkeep::admin {

/// Lives as long as the desk.
class Office {
 public:
  Office(Premises& premises, DeskOptions options) : premises(premises), options(std::move(options)) {}
  Premises& premises;
  DeskOptions options;
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

static_assert(!std::is_aggregate_v<Office> && !std::is_aggregate_v<Inquiry>);

}  // namespace tgkeep::admin
