// Erasing, step by step: what is found is deleted, until a search finds nothing more; then the files are
// written anew.
#include <boost/asio/post.hpp>

#include "store/erase_patience.hpp"
#include "store/sqlite/browse_erase.hpp"
#include "store/sqlite/sqlite_browser.hpp"

namespace tgkeep::store {

namespace {

/// What to delete from day files, on the thread that writes them.
class DayDeletion {
 public:
  DayDeletion(const asio::any_io_executor& loop, Concerned found, ItemNames counted)
      : found(std::move(found)), counted(std::move(counted)), done(loop) {}
  const Concerned found;
  ItemNames counted;
  Result<std::int64_t> finished = 0;
  loop::Event done;

  void run(DayFiles* files) {
    try {
      finished = erase_in_days(found, files, counted);
    } catch (const SqliteFailure& failure) {
      finished = unreadable(found.folder + "/history", failure);
    }
  }
};

/// Somebody who writes all the time would keep it going for ever.
constexpr int kMostTurns = 200;
/// Items deleted in one commit.
constexpr std::size_t kSlice = 200;

ItemNames names_of(const std::vector<ItemName>& items) {
  ItemNames names;
  for (const ItemName& item : items) names.emplace(item.queue, item.seq);
  return names;
}

// Also when there is nothing to delete: what the archiver is copying right now is in a file afterwards, where
// the next search finds it.
void post(const asio::any_io_executor& loop, StoreThread& thread, std::shared_ptr<DayDeletion> deletion) {
  Archiver* const archiver = thread.archiver();
  auto job = [loop, archiver, deletion = std::move(deletion)]() mutable {
    deletion->run(archiver == nullptr ? nullptr : &archiver->files());
    auto finish = [deletion = std::move(deletion)] { deletion->done.notify(); };
    asio::post(loop, std::move(finish));
  };
  if (archiver == nullptr) return job();
  thread.handover().post(std::move(job));
}

}  // namespace

asio::awaitable<Result<Erased>> SqliteBrowser::erase(EraseRequest what) {
  if (thread_ == nullptr) co_return read_only();
  const auto asked = std::make_shared<const EraseRequest>(std::move(what));
  // A search over everything takes long: not before those of others.
  Reader reader(loop_, folder_, vfs_);
  const ErasePatience patience(clock_.mono());
  Erased all;
  ItemNames counted;
  std::optional<Error> left;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    auto search = [asked](ReadView& view) -> Result<Concerned> { return find_concerned(view, *asked); };
    QuestionFor<Concerned>::Work question(std::move(search));
    Result<Concerned> found = co_await reader.ask<Concerned>(std::move(question));
    if (!found) co_return found.error();
    if (found->empty() && turn > 0) break;
    std::vector<ItemName> in_flight;
    for (std::size_t from = 0; from == 0 || from < found->here.size(); from += kSlice) {
      std::vector<ItemName> slice;
      for (std::size_t i = from; i < found->here.size() && i < from + kSlice; ++i)
        slice.push_back(found->here[i]);
      const bool with_state = from == 0;  // each turn: a handler that ended since has written its state
      auto work = [slice = std::move(slice), asked, with_state](Ledger& ledger, Changes&) {
        ErasedHere here = ledger.erase(slice);
        if (with_state) here.erased.state = ledger.erase_state(asked->state_keys);
        return here;
      };
      auto request = submit<ErasedHere>(Effect::synced, false, std::move(work));
      co_await request->done.wait();
      const Result<ErasedHere> here = request->take();
      if (!here) co_return here.error();
      add(all, here->erased);
      in_flight.insert(in_flight.end(), here->in_flight.begin(), here->in_flight.end());
      // Not all that was found here: the archiver may have moved some since, and they count in its files.
      counted.merge(names_of(here->taken));
    }
    const ItemNames flying = names_of(in_flight);
    const auto deletion =
        std::make_shared<DayDeletion>(loop_, std::move(*found), std::exchange(counted, ItemNames()));
    post(loop_, *thread_, deletion);
    co_await deletion->done.wait();
    const Result<std::int64_t> finished = deletion->finished;
    if (!finished) co_return finished.error();
    all.finished += *finished;
    counted = std::move(deletion->counted);
    if (in_flight.empty()) continue;
    if (patience.ended(clock_.mono())) {
      left = still_in_flight({flying.begin(), flying.end()});
      break;
    }
    co_await loop::sleep_for(clock_, ErasePatience::kPause);
  }
  const Result<void> gone = co_await erase_bytes();
  if (!gone) co_return gone.error();
  if (left) co_return *left;
  co_return all;
}

// A reader in the way keeps the WAL, and with it the old pages: it is waited for.
asio::awaitable<Result<void>> SqliteBrowser::erase_bytes() {
  const ErasePatience patience(clock_.mono());
  for (bool first = true;; first = false) {
    auto work = [first](Ledger& ledger, Changes&) {
      return first ? ledger.rewrite_file() : ledger.empty_wal();
    };
    auto request = submit<bool>(Effect::alone, false, std::move(work));
    co_await request->done.wait();
    const Result<bool> gone = request->take();
    if (!gone) co_return gone.error();
    if (*gone) co_return Result<void>();
    if (patience.ended(clock_.mono())) {
      co_return Error(Errc::misuse, "the items were erased, but their bytes are still in " + folder_ +
                                        "/inbox.db-wal, because somebody reads the store all the time; end "
                                        "such programs (sqlite3, a backup that runs) and erase once more");
    }
    co_await loop::sleep_for(clock_, ErasePatience::kPause);
  }
}

}  // namespace tgkeep::store
