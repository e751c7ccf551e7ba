#pragma once
// `tgkeep erase`: takes away what concerns a person or a chat.

#include <cstdint>
#include <optional>

#include "app/ask/reach.hpp"
#include "app/commands/command.hpp"

namespace tgkeep::app {

class EraseCommand final : public Command {
 public:
  explicit EraseCommand(CLI::App& app);
  std::optional<int> run() override;

 private:
  ReachOptions options_;
  std::optional<std::int64_t> user_;
  std::optional<std::int64_t> chat_;
  bool all_bots_ = false;
  bool yes_ = false;
  CLI::App& erase_;
};

}  // namespace tgkeep::app
