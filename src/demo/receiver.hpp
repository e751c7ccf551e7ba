#pragma once
// The receiver of `tgkeep demo --push`: a Python program, which is built into this one.

#include <cstdint>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>

#include "prove/child_process.hpp"

namespace tgkeep::demo {

using prove::ChildProcess;

/// The program's text.
std::string_view receiver_script() noexcept;

/// Writes the program into `folder` and starts it with the python3 of $PATH. It writes a life line to
/// `handler_log` once it listens. Its output goes to receiver.log.
Result<ChildProcess> start_receiver(const std::string& folder, std::uint16_t port, std::uint64_t seed,
                                    const std::string& handler_log);

}  // namespace tgkeep::demo
