#include "clients/verdict.hpp"

#include <optional>

namespace tgkeep::test {

namespace {

/// One update, as far as the story has come.
class Progress {
 public:
  Progress() = default;
  std::int64_t chat = 0;
  std::size_t place = 0;  ///< in its chat
  std::int64_t attempt = 0;
  bool requested = false;
  bool may_repeat = false;  ///< its last request failed, or the receiver was killed since
  bool done = false;        ///< the last answer was a success
  bool ended = false;
  std::optional<std::int64_t> not_before;
};

class Judge {
 public:
  Judge(const Chats& chats, std::int64_t retry_after) : chats_(chats), retry_after_(retry_after) {
    for (const auto& [chat, updates] : chats) {
      for (std::size_t place = 0; place < updates.size(); ++place) {
        Progress& progress = updates_[updates[place]];
        progress.chat = chat;
        progress.place = place;
      }
    }
  }

  void hear(const Event& event) {
    if (event.kind == Event::Kind::refused || event.kind == Event::Kind::done) return;
    if (event.kind == Event::Kind::killed) return killed();
    const auto found = updates_.find(event.update);
    if (found == updates_.end()) return complain(event, "was never put into the store");
    Progress& update = found->second;
    switch (event.kind) {
      case Event::Kind::request:
        return request(event, update);
      case Event::Kind::start:
        return start(event, update);
      case Event::Kind::answer:
        return answer(event, update);
      case Event::Kind::end:
        update.ended = true;
        return stop(event, update);
      default:
        // It may have answered before (202): that no longer counts.
        update.done = false;
        update.may_repeat = true;
        return stop(event, update);
    }
  }

  std::vector<std::string> finish() {
    for (const auto& [id, update] : updates_) {
      if (!update.ended) complaints_.push_back("update " + std::to_string(id) + " was never handled");
      if (!update.done)
        complaints_.push_back("update " + std::to_string(id) + " got no answer that means done");
    }
    return std::move(complaints_);
  }

 private:
  void request(const Event& event, Progress& update) {
    const std::size_t next = next_[update.chat];
    const std::int64_t running = running_[update.chat];
    if (running != 0) complain(event, "came while " + std::to_string(running) + " of its chat was running");
    if (!update.requested) {
      if (update.place != next) complain(event, "came out of order");
      if (next > 0) {
        const Progress& before = updates_[chats_.at(update.chat)[next - 1]];
        if (!before.done || !before.ended) complain(event, "came before the one before was done");
      }
      next_[update.chat] = update.place + 1;
    } else {
      if (update.place + 1 != next) complain(event, "came again after a later one of its chat");
      if (!update.may_repeat) complain(event, "came again though nothing had failed");
      if (event.attempt < update.attempt) complain(event, "came again with a lower attempt");
      if (update.not_before && event.millis < *update.not_before)
        complain(event, "came before its Retry-After");
    }
    if (event.attempt < 1 || event.epoch < 1) complain(event, "came without attempt or epoch");
    update.requested = true;
    update.attempt = event.attempt;
    update.may_repeat = false;
    update.done = false;
    update.not_before.reset();
  }

  void start(const Event& event, const Progress& update) {
    std::int64_t& running = running_[update.chat];
    if (running != 0)
      complain(event, "started while " + std::to_string(running) + " of its chat was running");
    running = event.update;
  }

  void stop(const Event& event, const Progress& update) {
    std::int64_t& running = running_[update.chat];
    if (running != event.update) complain(event, "ended without having started");
    running = 0;
  }

  void answer(const Event& event, Progress& update) {
    update.done = event.answer.starts_with('2');
    update.may_repeat = !update.done;
    // Only these are given with a Retry-After.
    if (event.answer == "429" || event.answer == "503") update.not_before = event.millis + retry_after_;
  }

  void killed() {
    running_.clear();
    // An answer may have been on its way, whatever it was.
    for (auto& [id, update] : updates_) {
      update.may_repeat = true;
      update.not_before.reset();
    }
  }

  void complain(const Event& event, const std::string& what) {
    complaints_.push_back("update " + std::to_string(event.update) + " " + what + " (at " +
                          std::to_string(event.millis) + " ms)");
  }

  const Chats& chats_;
  std::int64_t retry_after_;
  std::map<std::int64_t, Progress> updates_;
  std::map<std::int64_t, std::size_t> next_;      ///< by chat: place of the next to come
  std::map<std::int64_t, std::int64_t> running_;  ///< by chat
  std::vector<std::string> complaints_;
};

}  // namespace

std::vector<std::string> broken_promises(const std::vector<Event>& story, const Chats& chats,
                                         std::int64_t retry_after) {
  Judge judge(chats, retry_after);
  for (const Event& event : story) judge.hear(event);
  return judge.finish();
}

}  // namespace tgkeep::test
