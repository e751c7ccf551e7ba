#pragma once
// What an argument must be that counts or numbers something.

#include <CLI/CLI.hpp>
#include <cstdint>

namespace tgkeep::app {

/// Refuses what is no whole number, or less than `least`, in words.
CLI::Validator whole_number(std::int64_t least);

}  // namespace tgkeep::app
