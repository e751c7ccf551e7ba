// What is seen of the bot: the handler's log, the calls that arrive, and how its processes end.

#include <signal.h>

#include <utility>

#include "prove/echo_text.hpp"
#include "prove/torment.hpp"
#include "prove/tormented_bot.hpp"

namespace tgkeep::prove {

using std::chrono::seconds;

namespace {

constexpr Duration kPatience = seconds(60);  // without any progress
// Beyond drain + 2 s: the machine may be busy.
constexpr Duration kStopMargin = seconds(3);

}  // namespace

// Calls first: what a call answers is in the log before the call is made.
Result<void> Torment::look() {
  const std::size_t calls = server_->calls().size();
  if (Result<void> read = read_log(); read.has_error()) return read;
  if (has_face()) {
    if (Result<void> read = read_face_calls(calls); read.has_error()) return read;
  } else {
    while (calls_read_ < calls) read_calls();
  }
  if (Result<void> bot = look_at_bot(); bot.has_error()) return bot;
  if (Result<void> receiver = look_at_receiver(); receiver.has_error()) return receiver;
  catch_up();
  if (interrupted_) return Error(Errc::cancelled, "interrupted");
  return check_stall();
}

Result<void> Torment::read_log() {
  const auto events = log_.read(handler_log());
  if (!events) return events.error();
  for (const HandlerEvent& event : *events) checker_.event(event);
  return {};
}

void Torment::read_calls() {
  const emulator::CallRecord& record = server_->calls()[calls_read_++];
  if (record.method != "sendMessage" || !record.took_effect) return;
  const std::optional<UpdateId> update = answered_update(record.params.text("text"));
  if (!update) return checker_.stray("a sendMessage call that answers no update");
  checker_.call(*update, chat_key(record.chat));
}

Result<void> Torment::look_at_bot() {
  if (!bot_) return start_bot();
  const std::optional<std::string> end = bot_->ended();
  if (end) return bot_ended(*end);
  return check_stop();
}

Result<void> Torment::look_at_receiver() {
  if (!receiver_) return {};
  const std::optional<std::string> end = receiver_->ended();
  if (!end) return {};
  if (*end != "signal 6" || !has_face() || !options_.workload.has_poison())
    return Error(Errc::cancelled, "the receiver ended by itself with " + *end);
  strikes_.add(Nemesis::poison);
  ++kills_;
  ++deaths_;
  return start_receiver();
}

// Why it ended must be known; then it is started again.
Result<void> Torment::bot_ended(const std::string& how) {
  bot_.reset();
  if (how != ended_well && !has_face()) ++deaths_;
  if (Result<void> read = read_log(); read.has_error()) return read;
  ControlPage& page = **control_;
  const bool at_write = std::exchange(deaths_at_write_, page.died_at_write.load()) != page.died_at_write;
  const bool sync_failed = std::exchange(syncs_seen_, page.failed_syncs.load()) != page.failed_syncs;
  // It may have met the full disk, and ended when that was over.
  const bool was_full = page.disk == ControlPage::Disk::full || clock_.mono() < last_full_ + seconds(5);
  if (sync_failed) {
    strikes_.add(Nemesis::sync_fails);
    page.disk = ControlPage::Disk::fine;
  }
  if (at_write) {
    strikes_.add(Nemesis::kill_at_write);
    ++kills_;
  } else if (how == "signal 6" && options_.workload.has_poison() && !has_face()) {
    strikes_.add(Nemesis::poison);
    ++kills_;
  } else if (stopping_ == Stopping::once &&
             (how == ended_well || how == "exit code 3" || how == "signal 15")) {
    strikes_.add(Nemesis::stop);
  } else if (stopping_ == Stopping::storm) {
    strikes_.add(Nemesis::stop_storm);
  } else if (how == "exit code 1" && (sync_failed || was_full)) {
    // A failed sync ends it; it can't start on a full disk.
  } else {
    return Error(Errc::cancelled, "the bot ended by itself with " + how + "; its log is " + bot_log());
  }
  return start_bot();
}

Result<void> Torment::check_stop() {
  if (stopping_ == Stopping::no || clock_.mono() < stop_by_) return {};
  promises_.broken(Promise::bounded_stop,
                   "a stop has not ended after drain + 2 s; the bot's log is " + bot_log());
  kill();
  return {};
}

Result<void> Torment::check_stall() {
  const std::int64_t moves = checker_.handled() + checker_.calls() + checker_.repeated() +
                             checker_.running() + face_calls_.arrivals() +
                             account_->deliveries.acknowledged();
  const MonoTime now = clock_.mono();
  if (std::exchange(moves_, moves) != moves) moved_ = now;
  if (now - moved_ < kPatience) return {};
  return Error(Errc::cancelled, "nothing has moved for a minute: " + std::to_string(checker_.lost()) +
                                    " updates are not handled, " + std::to_string(account_->queue.size()) +
                                    " wait at the emulator; the bot's log is " + bot_log());
}

void Torment::stop(bool storm) {
  if (!bot_ || stopping_ != Stopping::no) return;
  bot_->signal(SIGTERM);
  stopping_ = storm ? Stopping::storm : Stopping::once;
  const Duration drain = seconds(kTormentedDrainSeconds);
  stop_by_ = clock_.mono() + drain + seconds(2) + kStopMargin;
}

}  // namespace tgkeep::prove
