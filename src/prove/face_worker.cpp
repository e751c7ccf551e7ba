#include "prove/face_worker.hpp"

#include <cstdlib>
#include <utility>

#include "loop/event.hpp"
#include "prove/echo_text.hpp"
#include "prove/face_bot.hpp"
#include "prove/handler_log.hpp"

namespace tgkeep::prove {

namespace {

/// How many calls the work on an update makes, one after another.
std::int64_t calls_for(UpdateId update) {
  return update.value() % 5 == 0 ? 3 : 1;
}

}  // namespace

FaceWorker::FaceWorker(Clock& clock, FaceCaller& caller, loop::TaskGroup& aside,
                       std::shared_ptr<const Witness> log, Workload::Face way, std::uint64_t seed)
    : clock_(clock), caller_(caller), aside_(aside), log_(std::move(log)), way_(way), seed_(seed) {}

asio::awaitable<FaceWorker::End> FaceWorker::work(ProofTag tag, FaceAttempt attempt) {
  const std::string key = chat_key(tag.chat);
  const Nature nature = nature_of(seed_, tag.update, way_ != Workload::Face::webhook);
  // Only a bot with a webhook is told whether it may have had it before.
  log_->write(start_line(tag.update, key, attempt.attempt, true, attempt.epoch));
  const Duration takes = working_time(seed_, tag.update, nature);
  co_await loop::sleep_for(clock_, takes);
  if (nature == Nature::poison) std::abort();
  if (tag.chat == kFloodedChat) {
    aside_.spawn("call aside", caller_.send(tag.chat));
  } else {
    for (std::int64_t calls = calls_for(tag.update); calls > 0; --calls) co_await caller_.send(tag.chat);
  }
  const End end = end_of(nature, attempt.attempt);
  if (end == End::done) {
    log_->write(end_line(tag.update, key, attempt.epoch));
  } else {
    log_->write(fail_line(tag.update, key, attempt.epoch));
  }
  co_return end;
}

void FaceWorker::settled(ProofTag tag) const {
  const std::string key = chat_key(tag.chat);
  log_->write(settled_line(tag.update, key));
}

// By its offset a bot can only say that it is done; to Telegram, only that it is or is not.
FaceWorker::End FaceWorker::end_of(Nature nature, std::uint32_t attempt) const {
  if (way_ == Workload::Face::poll) return End::done;
  if (fails(nature, attempt)) return End::failed;
  if (nature == Nature::refused) return way_ == Workload::Face::settle ? End::refused : End::failed;
  return End::done;
}

}  // namespace tgkeep::prove
