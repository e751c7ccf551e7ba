#pragma once
// What the desk stands in when no process runs: the files of its bots.

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/log.hpp>
#include <vector>

#include "admin/premises.hpp"

namespace tgkeep::app {

/// One bot whose files are to be opened.
class StoredFacts {
 public:
  StoredFacts(admin::BotFacts facts, std::uint64_t reserve) : facts(std::move(facts)), reserve(reserve) {}
  admin::BotFacts facts;  ///< id 0: not known, the store tells
  std::uint64_t reserve;
  std::chrono::hours history{48};
  std::uint64_t max_history = 2U << 30;
};

enum class Access : bool { read, own };

/// Opens the stores of all: for reading beside whoever owns them, or as their owner. Errors as
/// `open_sqlite_store`. Everything on the loop's thread.
asio::awaitable<Result<std::unique_ptr<admin::Premises>>> open_files(asio::any_io_executor loop, Clock& clock,
                                                                     std::vector<StoredFacts> bots,
                                                                     Access access, Log log);

}  // namespace tgkeep::app
