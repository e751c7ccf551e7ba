#pragma once
// The folder of a store and the disk it lies on: rights, filesystem, room, speed.

#include <cstdint>
#include <string>

#include "app/doctor/finding.hpp"

namespace tgkeep::app {

/// Writes a small file into the folder for the speed, and takes it away again.
void check_folder(Findings& findings, const std::string& folder, std::uint64_t reserve);

/// A file that holds a token or secret: nobody else may read it.
void check_secret_file(Findings& findings, const std::string& what, const std::string& path);

/// How many files and connections this process may open; `pid` not 0: that one.
void check_descriptors(Findings& findings, std::int64_t pid);

}  // namespace tgkeep::app
