#pragma once
// The book of handouts of an SQLite store. Notes go as verbs through the store's thread, and share its
// commits; reading goes to a thread of its own, so that no search stands before it.

#include <tgkeep/handouts.hpp>

#include "store/sqlite/reader.hpp"
#include "store/sqlite/verb.hpp"

namespace tgkeep::store {

class SqliteHandouts final : public Handouts {
 public:
  SqliteHandouts(asio::any_io_executor loop, std::string folder, std::string vfs, StoreThread& thread)
      : loop_(loop), thread_(thread), reader_(std::move(loop), std::move(folder), std::move(vfs)) {}

  asio::awaitable<Result<void>> note(std::vector<Handout> handouts) override;
  asio::awaitable<Result<PullId>> last() override;
  asio::awaitable<Result<std::vector<Handout>>> open() override;
  asio::awaitable<Result<std::vector<Handout>>> done_since(WallTime from, std::size_t limit) override;
  asio::awaitable<Result<std::optional<Handout>>> find(PullId id) override;
  asio::awaitable<Result<std::vector<Handout>>> of(Seq seq) override;

 private:
  template <class T>
  std::shared_ptr<Verb<T>> submit(Effect effect, typename Verb<T>::Work work) {
    auto request = std::make_shared<Verb<T>>(loop_, effect, false, std::move(work));
    thread_.submit(request);
    return request;
  }

  asio::any_io_executor loop_;
  StoreThread& thread_;
  Reader reader_;
};

}  // namespace tgkeep::store
