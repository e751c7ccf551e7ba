#pragma once
// A command that can't go on: thrown from wherever that is found out, shown at one place (cli.cpp).

#include <exception>
#include <string>

#include "app/commands/exit_code.hpp"

namespace tgkeep::app {

class CommandEnd : public std::exception {
 public:
  CommandEnd(Exit exit, std::string text, std::string json = {})
      : exit_(exit), text_(std::move(text)), json_(std::move(json)) {}
  Exit exit() const noexcept { return exit_; }
  /// What, where, and what to do; for stderr.
  const std::string& text() const noexcept { return text_; }
  /// The same as the admin interface said it; for stdout with --json. "" when there is none.
  const std::string& json() const noexcept { return json_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Exit exit_;
  std::string text_;
  std::string json_;
};

}  // namespace tgkeep::app
