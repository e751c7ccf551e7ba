#pragma once
// Answers from the files of a stopped process, by the code that answers in a running one.

#include <memory>
#include <tgkeep/error.hpp>
#include <vector>

#include "app/ask/caller.hpp"
#include "app/ask/file_premises.hpp"

namespace tgkeep::app {

/// Opens the stores; while it lives it holds them. Errors as `open_files`.
Result<std::unique_ptr<Caller>> files_caller(std::vector<StoredFacts> bots, Access access);

}  // namespace tgkeep::app
