#include "admin/replay_job.hpp"

#include <algorithm>
#include <chrono>

#include "admin/picture.hpp"
#include "admin/refusal.hpp"
#include "loop/event.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

constexpr std::size_t kPage = 1000;

class Running {
 public:
  explicit Running(bool& flag) : flag_(flag) {}
  ~Running() { flag_ = false; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  bool& flag_;
};

Error gone() {
  return Error(Errc::not_found, "the bot was removed, or its store can't be searched");
}

}  // namespace

ReplayJob::ReplayJob(Premises& premises, BotId bot, ReplayPlan plan)
    : premises_(premises), bot_(bot), plan_(std::move(plan)) {}

asio::awaitable<Result<ItemPage>> ReplayJob::page_after(Seq after, std::size_t limit) {
  StoreBrowser* const browser = browser_with(premises_, bot_);
  if (browser == nullptr) co_return gone();
  ItemFilter filter = plan_.filter;
  Result<ItemPage> page = co_await browser->find(std::move(filter), after, limit, false, false);
  co_return page;
}

asio::awaitable<Result<std::int64_t>> ReplayJob::count() {
  of_ = 0;
  Seq after;
  for (;;) {
    const Result<ItemPage> page = co_await page_after(after, kPage);
    if (page.has_error()) co_return page.error();
    of_ += static_cast<std::int64_t>(page->items.size());
    if (!page->items.empty()) last_ = page->items.back().seq;
    if (!page->next) co_return of_;
    after = *page->next;
  }
}

asio::awaitable<void> ReplayJob::run() {
  begin();
  // Also when it is cut off or something throws: the next replay must be able to begin.
  const Running until_the_end(running_);
  error_ = "it was cut off";
  const Result<void> ended = co_await replay_all();
  error_ = ended.has_error() ? ended.error().text() : "";
}

asio::awaitable<Result<void>> ReplayJob::replay_all() {
  // Ten batches a second: smooth enough for a bot, few commits for the store.
  const auto batch = static_cast<std::size_t>(std::max(1, plan_.rate / 10));
  const Duration pause = std::chrono::nanoseconds(std::chrono::seconds(1)) / plan_.rate;
  Clock& clock = premises_.clock();
  Seq after;
  while (!cancelled_ && after < last_) {
    const Result<ItemPage> page = co_await page_after(after, batch);
    if (page.has_error()) co_return page.error();
    std::vector<Seq> seqs;
    for (const StoredItem& item : page->items) {
      if (item.seq <= last_) seqs.push_back(item.seq);
    }
    if (seqs.empty() || cancelled_) break;
    after = seqs.back();
    const auto size = static_cast<std::int64_t>(seqs.size());
    const Result<void> put = co_await replay_batch(std::move(seqs));
    if (put.has_error()) co_return put.error();
    if (after < last_) co_await loop::sleep_for(clock, pause * size);
  }
  co_return Result<void>();
}

asio::awaitable<Result<void>> ReplayJob::replay_batch(std::vector<Seq> seqs) {
  StoreBrowser* const browser = browser_with(premises_, bot_);
  if (browser == nullptr) co_return gone();
  const Result<std::vector<Replayed>> put = co_await browser->replay(std::move(seqs), plan_.force);
  if (put.has_error()) co_return put.error();
  for (const Replayed& one : *put) {
    ++done_;
    if (one.skipped.empty()) {
      ++replayed_;
    } else {
      ++skipped_[one.skipped];
    }
  }
  co_return Result<void>();
}

json::object ReplayJob::shown() const {
  json::object skipped;
  for (const auto& [why, count] : skipped_) skipped[as_text(why)] = count;
  json::object job;
  job["running"] = running_;
  job["done"] = done_;
  job["replayed"] = replayed_;
  job["skipped"] = std::move(skipped);
  job["of"] = of_;
  job["rate"] = plan_.rate;
  job["cancelled"] = cancelled_;
  job["error"] = running_ ? std::string() : as_text(error_);
  return job;
}

}  // namespace tgkeep::admin
