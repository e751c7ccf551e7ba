#pragma once
// What the desk stands in when no process runs: the files of its bots.

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/sqlite_store.hpp>
#include <vector>

#include "admin/premises.hpp"

namespace tgkeep::app {

/// One bot whose files are to be opened.
class StoredFacts {
 public:
  StoredFacts(admin::BotFacts facts, store::SqliteOptions store)
      : facts(std::move(facts)), store(std::move(store)) {}
  admin::BotFacts facts;  ///< id 0: not known, the store tells
  store::SqliteOptions store;
};

enum class Access : bool { read, own };

/// Opens the stores of all: for reading beside whoever owns them, or as their owner. Errors as
/// `open_sqlite_store`. Everything on the loop's thread.
asio::awaitable<Result<std::unique_ptr<admin::Premises>>> open_files(asio::any_io_executor loop, Clock& clock,
                                                                     std::vector<StoredFacts> bots,
                                                                     Access access, Log log);

}  // namespace tgkeep::app
