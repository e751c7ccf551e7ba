#include "store/sqlite/sqlite_browser.hpp"

#include "store/item_view.hpp"
#include "store/sqlite/backup.hpp"
#include "store/sqlite/browse_audit.hpp"
#include "store/sqlite/browse_find.hpp"
#include "store/sqlite/browse_handouts.hpp"
#include "store/sqlite/browse_replay.hpp"

namespace tgkeep::store {

SqliteBrowser::SqliteBrowser(asio::any_io_executor loop, Clock& clock, std::string folder, std::string vfs,
                             StoreThread* thread)
    : loop_(loop),
      clock_(clock),
      folder_(folder),
      vfs_(vfs),
      thread_(thread),
      reader_(std::move(loop), std::move(folder), std::move(vfs)) {}

Error SqliteBrowser::read_only() const {
  return Error(Errc::misuse, "the store in " + folder_ +
                                 " is open for reading only; to change it, ask its process through the admin "
                                 "door, or stop the process and use the command");
}

asio::awaitable<Result<ItemPage>> SqliteBrowser::find(ItemFilter filter, Seq after, std::size_t limit,
                                                      bool newest_first, bool with_bodies) {
  auto work = [filter = std::move(filter), after, limit, newest_first,
               with_bodies](ReadView& view) -> Result<ItemPage> {
    ItemPage page = find_items(view, filter, after, limit, newest_first);
    for (StoredItem& item : page.items) {
      if (!with_bodies) item.body.clear();
    }
    return page;
  };
  return reader_.ask<ItemPage>(std::move(work));
}

asio::awaitable<Result<StoredItem>> SqliteBrowser::item(Queue queue, Seq seq) {
  auto work = [queue, seq](ReadView& view) -> Result<StoredItem> {
    std::optional<StoredItem> item = find_item(view, queue, seq);
    if (!item) return no_such_item(queue, seq);
    return std::move(*item);
  };
  return reader_.ask<StoredItem>(std::move(work));
}

asio::awaitable<Result<std::vector<ItemTrace>>> SqliteBrowser::trace(UpdateId id) {
  using Traces = std::vector<ItemTrace>;
  return reader_.ask<Traces>([id](ReadView& view) -> Result<Traces> { return trace_update(view, id); });
}

asio::awaitable<Result<std::optional<Handout>>> SqliteBrowser::seen_as(std::int64_t update_id) {
  using One = std::optional<Handout>;
  return reader_.ask<One>(
      [update_id](ReadView& view) -> Result<One> { return find_seen_as(view.database(), update_id); });
}

asio::awaitable<Result<Seq>> SqliteBrowser::retry(Queue queue, Seq seq) {
  if (thread_ == nullptr) co_return read_only();
  auto work = [queue, seq](Ledger& ledger, Changes& changes) { return ledger.retry(queue, seq, changes); };
  auto request = submit<std::optional<Seq>>(Effect::synced, false, std::move(work));
  co_await request->done.wait();
  const Result<std::optional<Seq>> revived = request->take();
  if (!revived) co_return revived.error();
  if (*revived) co_return **revived;
  co_return no_such_letter(queue, seq);
}

asio::awaitable<Result<std::vector<bool>>> SqliteBrowser::drop(Queue queue, std::vector<Seq> seqs,
                                                               std::string by) {
  if (thread_ == nullptr) co_return read_only();
  auto work = [queue, seqs = std::move(seqs), by = std::move(by)](Ledger& ledger, Changes&) {
    return ledger.drop(queue, seqs, by);
  };
  auto request = submit<std::vector<bool>>(Effect::synced, false, std::move(work));
  co_await request->done.wait();
  co_return request->take();
}

asio::awaitable<Result<std::vector<Replayed>>> SqliteBrowser::replay(std::vector<Seq> seqs, bool force) {
  if (thread_ == nullptr) co_return read_only();
  using Candidates = std::vector<ReplayCandidate>;
  auto read = [seqs = std::move(seqs)](ReadView& view) -> Result<Candidates> {
    return replay_candidates(view, seqs);
  };
  QuestionFor<Candidates>::Work question(std::move(read));
  Result<Candidates> candidates = co_await reader_.ask<Candidates>(std::move(question));
  if (!candidates) co_return candidates.error();
  auto work = [candidates = std::move(*candidates), force](Ledger& ledger, Changes& changes) {
    return ledger.replay(candidates, force, changes);
  };
  auto request = submit<std::vector<Replayed>>(Effect::synced, true, std::move(work));
  co_await request->done.wait();
  co_return request->take();
}

asio::awaitable<Result<bool>> SqliteBrowser::paused(Queue queue) {
  if (thread_ != nullptr) {
    auto work = [queue](Ledger& ledger, Changes&) { return ledger.paused(queue); };
    auto request = submit<bool>(Effect::none, false, std::move(work));
    co_await request->done.wait();
    co_return request->take();
  }
  auto work = [queue](ReadView& view) -> Result<bool> {
    return view.database().integer("SELECT value FROM meta WHERE name='paused_" +
                                   std::string(to_string(queue)) + "'") != 0;
  };
  QuestionFor<bool>::Work question(std::move(work));
  Result<bool> paused = co_await reader_.ask<bool>(std::move(question));
  co_return paused;
}

asio::awaitable<Result<void>> SqliteBrowser::set_paused(Queue queue, bool paused) {
  if (thread_ == nullptr) co_return read_only();
  auto work = [queue, paused](Ledger& ledger, Changes&) {
    ledger.set_paused(queue, paused);
    return true;
  };
  auto request = submit<bool>(Effect::synced, false, std::move(work));
  co_await request->done.wait();
  const Result<bool> written = request->take();
  if (!written) co_return written.error();
  co_return Result<void>();
}

asio::awaitable<Result<std::optional<std::string>>> SqliteBrowser::state(BotId bot, std::string space,
                                                                         std::string key) {
  using State = std::optional<std::string>;
  if (thread_ == nullptr) {
    auto read = [bot, space = std::move(space), key = std::move(key)](ReadView& view) -> Result<State> {
      return read_state(view.database(), view.path(), bot, space, key);
    };
    QuestionFor<State>::Work question(std::move(read));
    Result<State> found = co_await reader_.ask<State>(std::move(question));
    co_return found;
  }
  auto work = [bot, space = std::move(space), key = std::move(key)](Ledger& ledger, Changes&) {
    return ledger.state(bot, space, key);
  };
  auto request = submit<Result<State>>(Effect::none, false, std::move(work));
  co_await request->done.wait();
  Result<Result<State>> found = request->take();
  if (!found) co_return found.error();
  co_return std::move(*found);
}

asio::awaitable<Result<void>> SqliteBrowser::audit() {
  auto work = [](ReadView& view) -> Result<std::string> { return audit_store(view); };
  QuestionFor<std::string>::Work question(std::move(work));
  const Result<std::string> difference = co_await reader_.ask<std::string>(std::move(question));
  if (!difference) co_return difference.error();
  if (difference->empty()) co_return Result<void>();
  co_return Error(Errc::corrupt, "the store's books do not balance, " + *difference +
                                     "; keep a copy of its folder and report it");
}

asio::awaitable<Result<BackupReport>> SqliteBrowser::backup(std::string folder, Progress progress) {
  // A thread of its own: it would hold up searches for minutes.
  Reader reader(loop_, folder_, vfs_);
  auto work = [folder = std::move(folder), progress = std::move(progress)](ReadView& view) {
    return write_backup(view, folder, progress);
  };
  QuestionFor<BackupReport>::Work question(std::move(work));
  Result<BackupReport> report = co_await reader.ask<BackupReport>(std::move(question));
  co_return report;
}

}  // namespace tgkeep::store
