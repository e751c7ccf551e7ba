#pragma once
// The book of handouts of a memory store, as its port.

#include <memory>
#include <tgkeep/handouts.hpp>

#include "store/memory/memory_shelf.hpp"

namespace tgkeep::store {

class MemoryHandouts final : public Handouts {
 public:
  explicit MemoryHandouts(std::shared_ptr<MemoryShelf> shelf) : shelf_(std::move(shelf)) {}

  asio::awaitable<Result<void>> note(std::vector<Handout> handouts) override;
  asio::awaitable<Result<PullId>> last() override;
  asio::awaitable<Result<std::vector<Handout>>> open() override;
  asio::awaitable<Result<std::vector<Handout>>> done_since(WallTime from, std::size_t limit) override;
  asio::awaitable<Result<std::optional<Handout>>> find(PullId id) override;
  asio::awaitable<Result<std::vector<Handout>>> of(Seq seq) override;

 private:
  std::shared_ptr<MemoryShelf> shelf_;
};

}  // namespace tgkeep::store
