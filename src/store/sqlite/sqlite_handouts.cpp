#include "store/sqlite/sqlite_handouts.hpp"

#include "store/sqlite/browse_handouts.hpp"

namespace tgkeep::store {

asio::awaitable<Result<void>> SqliteHandouts::note(std::vector<Handout> handouts) {
  auto work = [handouts = std::move(handouts)](Ledger& ledger, Changes&) { return ledger.note(handouts); };
  auto request = submit<Result<bool>>(Effect::unsynced, std::move(work));
  co_await request->done.wait();
  const Result<Result<bool>> noted = request->take();
  if (!noted) co_return noted.error();
  if (!*noted) co_return noted->error();
  co_return Result<void>();
}

asio::awaitable<Result<PullId>> SqliteHandouts::last() {
  auto work = [](Ledger& ledger, Changes&) { return ledger.last_handout(); };
  auto request = submit<PullId>(Effect::none, std::move(work));
  co_await request->done.wait();
  co_return request->take();
}

asio::awaitable<Result<std::vector<Handout>>> SqliteHandouts::open() {
  using All = std::vector<Handout>;
  QuestionFor<All>::Work question = [](ReadView& view) -> Result<All> { return open_handouts(view); };
  Result<All> open = co_await reader_.ask<All>(std::move(question));
  co_return open;
}

asio::awaitable<Result<std::vector<Handout>>> SqliteHandouts::done_since(WallTime from, std::size_t limit) {
  using All = std::vector<Handout>;
  auto work = [from, limit](ReadView& view) -> Result<All> { return done_handouts(view, from, limit); };
  QuestionFor<All>::Work question(std::move(work));
  Result<All> done = co_await reader_.ask<All>(std::move(question));
  co_return done;
}

asio::awaitable<Result<std::optional<Handout>>> SqliteHandouts::find(PullId id) {
  using One = std::optional<Handout>;
  auto work = [id](ReadView& view) -> Result<One> { return find_handout(view.database(), id); };
  QuestionFor<One>::Work question(std::move(work));
  Result<One> found = co_await reader_.ask<One>(std::move(question));
  co_return found;
}

asio::awaitable<Result<std::vector<Handout>>> SqliteHandouts::of(Seq seq) {
  using All = std::vector<Handout>;
  auto work = [seq](ReadView& view) -> Result<All> { return handouts_of(view.database(), seq); };
  QuestionFor<All>::Work question(std::move(work));
  Result<All> all = co_await reader_.ask<All>(std::move(question));
  co_return all;
}

}  // namespace tgkeep::store
