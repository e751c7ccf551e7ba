#pragma once
// What a bot is told about its settlements, once it is known what became of them.

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <string_view>
#include <tgkeep/clock.hpp>
#include <type_traits>
#include <vector>

#include "http/server.hpp"
#include "sink/settled_as.hpp"

namespace tgkeep::sink {

namespace asio = boost::asio;

/// The answer to one settlement.
class SettleAnswer {
 public:
  static SettleAnswer refused(int status, std::string_view error);
  /// At once, of what need not be written.
  static SettleAnswer taken();
  static SettleAnswer taken(SettleRequest::Action action);
  /// When it is written.
  static SettleAnswer taken(std::shared_ptr<SettledAs> settled);
  /// Of one that comes after `before`, with this action.
  static SettleAnswer again(std::shared_ptr<SettledAs> before, SettleRequest::Action action);

  /// Whether it is not known yet what becomes of it.
  bool is_open() const noexcept { return settled != nullptr && settled->fate() == SettledAs::Fate::open; }
  /// What is known now is what is said.
  void conclude();

  int status;
  boost::json::object body;
  std::shared_ptr<SettledAs> settled;  ///< what it rests on; may be empty

 private:
  explicit SettleAnswer(int status);
  void refuse(int with, std::string_view error);
};

/// The answer to a request. Needs nothing of who made it.
class SettleReply {
 public:
  /// To a single settlement.
  explicit SettleReply(SettleAnswer one);
  /// To an array.
  explicit SettleReply(std::vector<SettleAnswer> many) : answers_(std::move(many)) {}

  /// Waits until it is known of all of them: five seconds at most, or a tenth of one while it is held up.
  /// Cancelled, it throws: what was taken counts nevertheless.
  asio::awaitable<http::ServerReply> when_written(Clock& clock);

 private:
  class Wait;
  bool is_open() const;
  bool is_held_up() const;
  http::ServerReply reply();

  bool single_ = false;
  std::vector<SettleAnswer> answers_;
};

static_assert(!std::is_aggregate_v<SettleAnswer> && !std::is_aggregate_v<SettleReply>);

}  // namespace tgkeep::sink
