#pragma once
// Which items a command is about: by queue, state, id, kind, chat, reason and time.

#include <CLI/CLI.hpp>
#include <boost/json/fwd.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/ask/target.hpp"

namespace tgkeep::app {

class FindOptions {
 public:
  FindOptions() = default;
  std::string queue = "inbox";
  std::vector<std::string> states;
  std::string kind;
  std::string key;
  std::optional<std::int64_t> chat;
  std::string reason;
  std::string ids;
  std::string from;
  std::string to;

  void add_queue(CLI::App& command);
  void add_state(CLI::App& command);
  void add_reason(CLI::App& command);
  /// --kind, --chat and --key.
  void add_what(CLI::App& command);
  /// --id, --from and --to.
  void add_when(CLI::App& command);

  /// Whether anything but the queue is limited.
  bool any() const;
  /// As members of a request's query. CommandEnd (2) names the option that can't be read.
  void put(Target& target) const;
  /// The same as members of a request's body, without queue and states.
  void put(boost::json::object& body) const;
};

}  // namespace tgkeep::app
