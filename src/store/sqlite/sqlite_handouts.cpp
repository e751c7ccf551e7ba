#include "store/sqlite/sqlite_handouts.hpp"

#include "store/sqlite/browse_handouts.hpp"

namespace tgkeep::store {

asio::awaitable<Result<void>> SqliteHandouts::note(std::vector<Handout> handouts) {
  auto work = [handouts = std::move(handouts)](Ledger& ledger, Changes&) { return ledger.note(handouts); };
  auto request = submit<Result<void>>(Effect::unsynced, std::move(work));
  co_await request->done.wait();
  const Result<Result<void>> noted = request->take();
  if (!noted) co_return noted.error();
  co_return *noted;
}

asio::awaitable<Result<PullId>> SqliteHandouts::last() {
  auto work = [](Ledger& ledger, Changes&) { return ledger.last_handout(); };
  auto request = submit<PullId>(Effect::none, std::move(work));
  co_await request->done.wait();
  co_return request->take();
}

asio::awaitable<Result<std::vector<Handout>>> SqliteHandouts::open() {
  using All = std::vector<Handout>;
  return reader_.ask<All>([](ReadView& view) -> Result<All> { return open_handouts(view); });
}

asio::awaitable<Result<std::vector<Handout>>> SqliteHandouts::done_since(WallTime from, std::size_t limit) {
  using All = std::vector<Handout>;
  return reader_.ask<All>(
      [from, limit](ReadView& view) -> Result<All> { return done_handouts(view, from, limit); });
}

asio::awaitable<Result<std::optional<Handout>>> SqliteHandouts::find(PullId id) {
  using One = std::optional<Handout>;
  return reader_.ask<One>([id](ReadView& view) -> Result<One> { return find_handout(view.database(), id); });
}

asio::awaitable<Result<std::vector<Handout>>> SqliteHandouts::of(Seq seq) {
  using All = std::vector<Handout>;
  return reader_.ask<All>([seq](ReadView& view) -> Result<All> { return handouts_of(view.database(), seq); });
}

}  // namespace tgkeep::store
