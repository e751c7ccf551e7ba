#pragma once
// A store's browser whose every call is a visit to the bot's rooms: they are not taken down under it.

#include <boost/asio/awaitable.hpp>
#include <string>
#include <tgkeep/store_browser.hpp>
#include <utility>
#include <vector>

#include "app/visits.hpp"

namespace tgkeep::app {

/// Does `work` as a visit; misuse when nobody is let in any more.
template <class T>
boost::asio::awaitable<Result<T>> visiting(Visits& visits, boost::asio::awaitable<Result<T>> work) {
  if (!visits.open()) {
    co_return Error(Errc::misuse, "the bot is just being changed or removed: ask again in a moment");
  }
  const Visit visit(visits);
  Result<T> result = co_await std::move(work);
  co_return result;
}

/// Both references must outlive it. To be awaited at once, as a call that has not started yet is no visit.
class VisitingBrowser final : public StoreBrowser {
 public:
  VisitingBrowser(StoreBrowser& browser, Visits& visits) : browser_(browser), visits_(visits) {}

  asio::awaitable<Result<ItemPage>> find(ItemFilter filter, Seq after, std::size_t limit, bool newest_first,
                                         bool with_bodies) override {
    return in(browser_.find(std::move(filter), after, limit, newest_first, with_bodies));
  }
  asio::awaitable<Result<StoredItem>> item(Queue queue, Seq seq) override {
    return in(browser_.item(queue, seq));
  }
  asio::awaitable<Result<std::vector<ItemTrace>>> trace(UpdateId id) override {
    return in(browser_.trace(id));
  }
  asio::awaitable<Result<std::optional<Handout>>> seen_as(std::int64_t update_id) override {
    return in(browser_.seen_as(update_id));
  }
  asio::awaitable<Result<Seq>> retry(Queue queue, Seq seq) override { return in(browser_.retry(queue, seq)); }
  asio::awaitable<Result<std::vector<bool>>> drop(Queue queue, std::vector<Seq> seqs,
                                                  std::string by) override {
    return in(browser_.drop(queue, std::move(seqs), std::move(by)));
  }
  asio::awaitable<Result<std::vector<Replayed>>> replay(std::vector<Seq> seqs, bool force) override {
    return in(browser_.replay(std::move(seqs), force));
  }
  asio::awaitable<Result<bool>> paused(Queue queue) override { return in(browser_.paused(queue)); }
  asio::awaitable<Result<void>> set_paused(Queue queue, bool paused) override {
    return in(browser_.set_paused(queue, paused));
  }
  asio::awaitable<Result<Erased>> erase(EraseRequest request) override {
    return in(browser_.erase(std::move(request)));
  }
  asio::awaitable<Result<BackupReport>> backup(std::string folder, Progress progress) override {
    return in(browser_.backup(std::move(folder), std::move(progress)));
  }
  asio::awaitable<Result<std::optional<std::string>>> state(BotId bot, std::string space,
                                                            std::string key) override {
    return in(browser_.state(bot, std::move(space), std::move(key)));
  }
  asio::awaitable<Result<void>> audit() override { return in(browser_.audit()); }

 private:
  template <class T>
  asio::awaitable<Result<T>> in(asio::awaitable<Result<T>> work) {
    return visiting(visits_, std::move(work));
  }

  StoreBrowser& browser_;
  Visits& visits_;
};

}  // namespace tgkeep::app
