#pragma once
// One command's talk with whoever answers: JSON in and out, refusals as CommandEnd.

#include <boost/json/fwd.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <string>
#include <tgkeep/time.hpp>

#include "app/ask/reach.hpp"
#include "app/ask/target.hpp"

namespace tgkeep::app {

namespace json = boost::json;

class Session {
 public:
  /// CommandEnd as `reach`. `options` must outlive it.
  Session(const ReachOptions& options, Need need);

  json::value get(const Target& target);
  /// `meanwhile` as in AdminRequest.
  json::value post(const Target& target, const json::object& body, Duration timeout = std::chrono::minutes(1),
                   std::function<void()> meanwhile = {});
  /// The last answer as it came: what --json prints.
  const std::string& raw() const { return raw_; }
  void pass(Duration time) { reached_.caller->pass(time); }

  bool live() const { return reached_.live; }
  bool json() const { return options_.json; }
  /// How a path names the bot: what --bot said, or `-`.
  std::string bot() const { return options_.bot.empty() ? "-" : options_.bot; }
  /// Whether a path is answered at all now: false when the process has gone.
  bool is_there();

 private:
  json::value ask(AdminRequest request);

  const ReachOptions& options_;
  Reached reached_;
  std::string raw_;
};

/// Prints an answer for programs: one line.
void print_json(const std::string& answer);

}  // namespace tgkeep::app
