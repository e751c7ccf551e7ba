#pragma once
// A store that forgets: for tests, and for bots that want the order and concurrency without the disk.

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <tgkeep/clock.hpp>
#include <tgkeep/store.hpp>

namespace tgkeep::store {

class MemoryShelf;

std::unique_ptr<Store> make_memory_store(const asio::any_io_executor& loop, Clock& clock);

/// Over a shelf that outlives it: opening it again does what opening a file does after a crash.
std::unique_ptr<Store> open_memory_store(const asio::any_io_executor& loop, Clock& clock,
                                         std::shared_ptr<MemoryShelf> shelf);

}  // namespace tgkeep::store
