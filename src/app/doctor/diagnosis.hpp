#pragma once
// All of the doctor's checks, in the order in which a reader wants them.

#include <string>

#include "app/doctor/finding.hpp"

namespace tgkeep::app {

class DoctorOptions {
 public:
  DoctorOptions() = default;
  std::string config_file;
  std::vector<std::pair<std::string, std::string>> flags;
  bool offline = false;  ///< ask nobody on the network
};

/// Changes nothing, neither here nor at Telegram.
Findings diagnose(const DoctorOptions& options);

}  // namespace tgkeep::app
