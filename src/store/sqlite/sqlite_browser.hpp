#pragma once
// What people ask of an SQLite store. Reading goes to a thread of its own, changes go as verbs through the
// store's; without one, over the files of a process that may or may not run, it only reads.

#include <memory>
#include <tgkeep/clock.hpp>
#include <tgkeep/store_browser.hpp>
#include <utility>

#include "store/sqlite/reader.hpp"
#include "store/sqlite/verb.hpp"

namespace tgkeep::store {

class SqliteBrowser final : public StoreBrowser {
 public:
  /// `thread`: null to read only.
  SqliteBrowser(asio::any_io_executor loop, Clock& clock, std::string folder, std::string vfs,
                StoreThread* thread);

  Reader& reader() noexcept { return reader_; }

  asio::awaitable<Result<ItemPage>> find(ItemFilter filter, Seq after, std::size_t limit, bool newest_first,
                                         bool with_bodies) override;
  asio::awaitable<Result<StoredItem>> item(Queue queue, Seq seq) override;
  asio::awaitable<Result<std::vector<ItemTrace>>> trace(UpdateId id) override;
  asio::awaitable<Result<std::optional<Handout>>> seen_as(std::int64_t update_id) override;
  asio::awaitable<Result<Seq>> retry(Queue queue, Seq seq) override;
  asio::awaitable<Result<std::vector<bool>>> drop(Queue queue, std::vector<Seq> seqs,
                                                  std::string by) override;
  asio::awaitable<Result<std::vector<Replayed>>> replay(std::vector<Seq> seqs, bool force) override;
  asio::awaitable<Result<bool>> paused(Queue queue) override;
  asio::awaitable<Result<void>> set_paused(Queue queue, bool paused) override;
  asio::awaitable<Result<Erased>> erase(EraseRequest what) override;
  asio::awaitable<Result<BackupReport>> backup(std::string folder, Progress progress) override;
  asio::awaitable<Result<std::optional<std::string>>> state(BotId bot, std::string space,
                                                            std::string key) override;
  asio::awaitable<Result<void>> audit() override;

 private:
  template <class T>
  std::shared_ptr<Verb<T>> submit(Effect effect, bool takes_room, typename Verb<T>::Work work) {
    auto request = std::make_shared<Verb<T>>(loop_, effect, takes_room, std::move(work));
    thread_->submit(request);
    return request;
  }
  Error read_only() const;
  asio::awaitable<Result<void>> erase_bytes();

  asio::any_io_executor loop_;
  Clock& clock_;
  std::string folder_;
  std::string vfs_;
  StoreThread* thread_;
  Reader reader_;
};

}  // namespace tgkeep::store
