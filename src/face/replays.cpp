#include "face/replays.hpp"

#include <algorithm>
#include <map>
#include <tgkeep/handouts.hpp>
#include <tgkeep/store_browser.hpp>
#include <utility>

namespace tgkeep::face {

namespace {

constexpr std::uint32_t kMostRuns = 3;
constexpr std::size_t kMostItems = 10'000;

}  // namespace

Replays::Replays(Clock& clock, Store& store, Duration lease, Log log)
    : clock_(clock),
      store_(store),
      lease_(lease),
      log_(std::move(log)),
      on_(lease > Duration::zero() && store.handouts() != nullptr && store.browser() != nullptr) {}

asio::awaitable<void> Replays::bring_back() {
  if (!on_) co_return;
  StoreBrowser& browser = *store_.browser();
  const WallTime from = clock_.wall() - std::chrono::duration_cast<std::chrono::milliseconds>(lease_);
  const Result<std::vector<Handout>> done = co_await store_.handouts()->done_since(from, kMostItems);
  if (!done) {
    log_.warning("lease_not_kept", {{"error", done.error().text()}});
    co_return;
  }
  if (done->size() == kMostItems) {
    log_.warning("lease_not_kept", {{"error", "more was handed out within the lease than can come again"},
                                    {"newest_that_do", kMostItems}});
  }
  // The last run of each update: what came back before is the same update.
  std::map<UpdateId, StoredItem> last;
  for (const Handout& handout : *done) {
    Result<StoredItem> item = co_await browser.item(Queue::inbox, handout.seq);
    if (!item) continue;  // gone from the history
    item->body.clear();
    const auto known = last.find(item->update_id);
    if (known == last.end()) {
      last.emplace(item->update_id, *std::move(item));
    } else if (known->second.run < item->run) {
      known->second = *std::move(item);
    }
  }
  std::vector<Seq> seqs;
  std::size_t given_up = 0;
  for (const auto& [id, item] : last) {
    if (item.run < kMostRuns) {
      seqs.push_back(item.seq);
    } else {
      ++given_up;
    }
  }
  std::sort(seqs.begin(), seqs.end());
  if (given_up > 0) log_.warning("lease_given_up", {{"updates", given_up}, {"after_runs", kMostRuns}});
  if (seqs.empty()) co_return;
  const std::size_t asked = seqs.size();
  const Result<std::vector<Replayed>> replayed = co_await browser.replay(std::move(seqs), true);
  if (!replayed) {
    log_.warning("lease_not_kept", {{"error", replayed.error().text()}, {"updates", asked}});
    co_return;
  }
  std::size_t again = 0;
  for (const Replayed& one : *replayed) again += one.skipped.empty() ? 1 : 0;
  log_.info("lease_replayed", {{"updates", again}});
}

}  // namespace tgkeep::face
