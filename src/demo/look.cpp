// What a run sees of the bot: the handler's log, the calls that arrive, and that its processes live.

#include <algorithm>

#include "demo/demo_run.hpp"
#include "prove/echo_text.hpp"

namespace tgkeep::demo {

using prove::answered_update;
using prove::chat_key;
using prove::HandlerEvent;

// Calls first: what a call answers is in the log before the call is made.
Result<void> DemoRun::look() {
  const std::size_t calls = server_->calls().size();
  if (Result<void> read = read_log(); read.has_error()) return read;
  while (calls_read_ < calls) read_calls();
  const MonoTime now = clock_.mono();
  if (line_.is_due(now)) line_.show(progress(), now);
  if (bot_) {
    const std::optional<std::string> end = bot_->ended();
    if (end) {
      return Error(Errc::cancelled, "the bot ended by itself with " + *end + "; its log is " + bot_log());
    }
  }
  if (receiver_) {
    const std::optional<std::string> end = receiver_->ended();
    if (end) {
      return Error(Errc::cancelled, "the receiver ended by itself with " + *end + "; its log is " + folder_ +
                                        "/receiver.log (it needs python3)");
    }
  }
  if (interrupted_) return Error(Errc::cancelled, "interrupted");
  return {};
}

Result<void> DemoRun::read_log() {
  const auto events = log_.read(handler_log());
  if (!events) return events.error();
  for (const HandlerEvent& event : *events) checker_.event(event);
  return {};
}

void DemoRun::read_calls() {
  const emulator::CallRecord& record = server_->calls()[calls_read_++];
  if (record.method != "sendMessage") return;
  const std::optional<UpdateId> update = answered_update(record.params.text("text"));
  if (!record.took_effect || !update) {
    checker_.stray("a sendMessage call that is not the demo's");
  } else {
    checker_.call(*update, chat_key(record.chat));
  }
}

Progress DemoRun::progress() {
  Progress progress;
  progress.updates = options_.updates;
  progress.received = account_->deliveries.delivered();
  progress.stored = checker_.sent() - static_cast<std::int64_t>(account_->queue.size());
  progress.handled = checker_.handled();
  progress.running = checker_.running();
  progress.kills = kills_;
  const std::size_t oldest = checker_.first_unhandled();
  if (oldest < sent_at_.size()) progress.oldest = clock_.mono() - sent_at_[oldest];
  return progress;
}

Figures DemoRun::figures(const StoreFigures& store) const {
  Figures figures = gather(checker_, store);
  figures.kills = kills_;
  figures.kills_in_flight = kills_in_flight_;
  figures.calls_in_flight = calls_in_flight_;
  figures.seconds = std::chrono::duration<double>(finished_ - started_).count();
  figures.seed = options_.seed;
  figures.deliveries.delivered = account_->deliveries.delivered();
  figures.deliveries.acknowledged = account_->deliveries.acknowledged();
  return figures;
}

}  // namespace tgkeep::demo
