#pragma once
// `tgkeep doctor`.

#include <CLI/CLI.hpp>

#include "app/commands/command.hpp"
#include "app/doctor/diagnosis.hpp"

namespace tgkeep::app {

class DoctorCommand final : public Command {
 public:
  explicit DoctorCommand(CLI::App& app);
  std::optional<int> run() override;

 private:
  DoctorOptions options_;
  bool json_ = false;
  CLI::App& doctor_;
};

}  // namespace tgkeep::app
