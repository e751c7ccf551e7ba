#pragma once
// One command of the program, or a family of them.

#include <optional>

namespace tgkeep::app {

/// Its constructor adds it to the program's arguments.
class Command {
 public:
  virtual ~Command() = default;
  /// After parsing: does what was asked and returns the exit code; nothing when another command was given.
  /// Throws CommandEnd.
  virtual std::optional<int> run() = 0;

 protected:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
};

}  // namespace tgkeep::app
