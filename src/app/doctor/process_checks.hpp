#pragma once
// What runs, or would run: the process, its ports and its service.

#include <string>

#include "app/ask/json_fields.hpp"
#include "app/config.hpp"
#include "app/doctor/finding.hpp"

namespace tgkeep::app {

/// What the running process says about itself. `version`: ours.
void check_status(Findings& findings, const json::value& status, const std::string& version);

/// Whether the ports that the configuration needs are free; `live`: held by the process that runs.
void check_ports(Findings& findings, const Config& config, bool live);

/// The unit of the process and its time to stop; `pid` 0: none runs.
void check_systemd(Findings& findings, const Config& config, std::int64_t pid);

}  // namespace tgkeep::app
