#include "store/memory/memory_handouts.hpp"

namespace tgkeep::store {

asio::awaitable<Result<void>> MemoryHandouts::note(std::vector<Handout> handouts) {
  co_return shelf_->note(handouts);
}

asio::awaitable<Result<PullId>> MemoryHandouts::last() {
  co_return shelf_->handouts().last();
}

asio::awaitable<Result<std::vector<Handout>>> MemoryHandouts::open() {
  co_return shelf_->open_handouts();
}

asio::awaitable<Result<std::vector<Handout>>> MemoryHandouts::done_since(WallTime from, std::size_t limit) {
  co_return shelf_->handouts().done_since(from, limit);
}

asio::awaitable<Result<std::optional<Handout>>> MemoryHandouts::find(PullId id) {
  co_return shelf_->handouts().find(id);
}

asio::awaitable<Result<std::vector<Handout>>> MemoryHandouts::of(Seq seq) {
  co_return shelf_->handouts().of(seq);
}

}  // namespace tgkeep::store
