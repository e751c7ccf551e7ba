#pragma once
// Works on the updates of a bot behind a face: takes its time, makes calls, and writes the handler's log.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <tgkeep/clock.hpp>
#include <type_traits>

#include "loop/task_group.hpp"
#include "prove/face_caller.hpp"
#include "prove/nature.hpp"
#include "prove/proof_tag.hpp"
#include "prove/witness.hpp"
#include "prove/workload.hpp"

namespace tgkeep::prove {

/// What a bot is given of an update, besides the update.
class FaceAttempt {
 public:
  FaceAttempt() = default;
  std::uint32_t attempt = 1;
  std::int64_t epoch = 0;  ///< of the store; 0: the bot can't know
};

/// Everything on the loop's thread. What it is given must outlive it.
class FaceWorker {
 public:
  enum class End : std::uint8_t { done, failed, refused };

  FaceWorker(Clock& clock, FaceCaller& caller, loop::TaskGroup& aside, std::shared_ptr<const Witness> log,
             Workload::Face way, std::uint64_t seed);
  FaceWorker(const FaceWorker&) = delete;
  FaceWorker& operator=(const FaceWorker&) = delete;

  asio::awaitable<End> work(ProofTag tag, FaceAttempt attempt);
  /// It was told that the update has ended for good.
  void settled(ProofTag tag) const;

 private:
  End end_of(Nature nature, std::uint32_t attempt) const;

  Clock& clock_;
  FaceCaller& caller_;
  loop::TaskGroup& aside_;
  std::shared_ptr<const Witness> log_;
  const Workload::Face way_;
  const std::uint64_t seed_;
};

static_assert(!std::is_aggregate_v<FaceAttempt>);

}  // namespace tgkeep::prove
