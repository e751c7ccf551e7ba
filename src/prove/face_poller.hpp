#pragma once
// How a bot behind a face polls, as the clients of most libraries do.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <tgkeep/clock.hpp>
#include <utility>
#include <vector>

#include "http/client.hpp"
#include "loop/event.hpp"
#include "loop/task_group.hpp"
#include "prove/dice.hpp"
#include "prove/face_place.hpp"
#include "prove/face_worker.hpp"

namespace tgkeep::prove {

/// Everything on the loop's thread. What it is given must outlive it.
class FacePoller {
 public:
  FacePoller(const asio::any_io_executor& loop, Clock& clock, http::Client& client, const FacePlace& place,
             const std::string& token, FaceWorker& worker, loop::TaskGroup& works, std::uint64_t seed);
  FacePoller(const FacePoller&) = delete;
  FacePoller& operator=(const FacePoller&) = delete;

  /// Works on what comes one after another, and confirms by its offset. For ever.
  asio::awaitable<void> poll_and_confirm();
  /// Works on what comes at once, and settles each. For ever.
  asio::awaitable<void> poll_and_settle();

 private:
  class Got {
   public:
    Got(std::int64_t number, ProofTag tag) : number(number), tag(tag) {}
    std::int64_t number;  ///< its update_id, as the face shows it
    ProofTag tag;
  };

  asio::awaitable<std::vector<Got>> fetch(std::size_t limit);
  std::vector<Got> read(const std::string& body);
  asio::awaitable<void> work_and_settle(Got got);
  /// Whether it is.
  asio::awaitable<bool> settle(std::int64_t number, const std::string& how);
  asio::awaitable<int> tell(std::int64_t number, const std::string& how);

  Clock& clock_;
  http::Client& client_;
  const FacePlace& place_;
  FaceWorker& worker_;
  loop::TaskGroup& works_;
  const std::string api_;           ///< http://HOST:PORT/bot<token>/
  const std::string settling_api_;  ///< the same for a bot that settles
  bool settles_ = false;
  Dice dice_;
  std::int64_t offset_ = 0;
  std::size_t running_ = 0;
  loop::Event room_;
  std::map<UpdateId, std::uint32_t> attempts_;
};

}  // namespace tgkeep::prove
