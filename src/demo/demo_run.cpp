#include "demo/demo_run.hpp"

#include <signal.h>

#include <algorithm>
#include <utility>

#include "demo/echo_text.hpp"
#include "demo/store_witness.hpp"
#include "loop/event.hpp"

namespace tgkeep::demo {

namespace asio = boost::asio;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration tick = milliseconds(3);
constexpr Duration stop_patience = seconds(45);
// Kept waiting at Telegram: enough for full answers, while a late start still meets a queue.
constexpr std::size_t queued_ahead = 4000;
constexpr std::size_t fed_at_once = 250;
constexpr double sent_again = 0.01;
// A kill waits until so many handlers run, so that it surely meets some, and never one alone: an update that
// was cut off twice runs with nothing beside it, and a third time would be its own fault (P7).
constexpr std::int64_t running_at_kill = 5;

std::string key_of(std::int64_t chat) {
  return "chat:" + std::to_string(chat);
}

}  // namespace

DemoRun::DemoRun(asio::io_context& io, Clock& clock, const DemoOptions& options, std::string folder)
    : clock_(clock),
      options_(options),
      folder_(std::move(folder)),
      token_("700000001:DEMO-token-of-an-emulated-bot-000000"),
      server_(emulator::BotServer::listen(io.get_executor(), clock).value()),
      traffic_(options.seed, options.chats),
      started_(clock.mono()),
      finished_(started_),
      moved_(started_) {
  account_ = &server_->add_bot(token_, options.seed);
  account_->queue.send_confirmed_again(sent_again);
}

DemoRun::~DemoRun() = default;

asio::awaitable<Result<void>> DemoRun::run() {
  Result<void> ended = co_await drive();
  if (ended.has_error()) {
    bot_.reset();
    const Result<void> ignored = look();
    static_cast<void>(ignored);
  }
  co_await server_->stop(Duration::zero());
  co_return ended;
}

asio::awaitable<Result<void>> DemoRun::drive() {
  Result<void> going = start_bot();
  while (!going.has_error() && !is_complete()) {
    co_await loop::sleep_for(clock_, tick);
    feed();
    going = look();
    if (!going.has_error() && is_time_to_kill()) going = kill_bot();
    if (!going.has_error()) going = check_stall();
  }
  finished_ = clock_.mono();
  if (!going.has_error()) going = co_await stop_bot();
  co_return going;
}

Result<void> DemoRun::start_bot() {
  std::vector<std::string> command = options_.pipeline_command;
  command.insert(command.end(), {"--api-root", server_->root(), "--folder", store_folder(), "--handler-log",
                                 handler_log(), "--seed", std::to_string(options_.seed)});
  auto started = ChildProcess::start(std::move(command), {"TGKEEP_TOKEN=" + token_}, bot_log());
  if (!started) return started.error();
  bot_.emplace(*std::move(started));
  return {};
}

Result<void> DemoRun::kill_bot() {
  bot_->end();
  ++kills_;
  if (Result<void> read = look(); read.has_error()) return read;
  const std::int64_t running = checker_.running();
  const Result<std::int64_t> calls = count_calls_in_flight(store_folder());
  if (!calls) return calls.error();
  calls_in_flight_ += *calls;
  line_.say("kill " + std::to_string(kills_) + " of " + std::to_string(options_.kills) + " at " +
            std::to_string(checker_.handled()) + " handled, with " + std::to_string(running) +
            " handlers and " + std::to_string(*calls) + " calls in flight; starting again");
  return start_bot();
}

asio::awaitable<Result<void>> DemoRun::stop_bot() {
  bot_->signal(SIGTERM);
  const MonoTime until = clock_.mono() + stop_patience;
  std::optional<std::string> end = bot_->ended();
  while (!end && clock_.mono() < until) {
    co_await loop::sleep_for(clock_, tick);
    end = bot_->ended();
  }
  bot_.reset();
  const std::string where = "; its log is " + bot_log();
  if (!end) co_return Error(Errc::cancelled, "the bot did not stop within 45 s of SIGTERM" + where);
  if (*end != ended_well)
    co_return Error(Errc::cancelled, "the bot was asked to stop and ended with " + *end + where);
  Result<void> read = look();
  co_return read;
}

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
  if (interrupted_) return Error(Errc::cancelled, "interrupted");
  return {};
}

Result<void> DemoRun::read_log() {
  if (!log_.is_open()) log_.open(handler_log(), std::ios::binary);
  if (!log_.is_open()) return {};
  log_.clear();
  std::string piece(64U << 10, '\0');
  do {
    log_.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto events =
        log_reader_.read(std::string_view(piece).substr(0, static_cast<std::size_t>(log_.gcount())));
    if (!events) return events.error();
    for (const HandlerEvent& event : *events) checker_.event(event);
  } while (log_.gcount() > 0);
  return {};
}

void DemoRun::read_calls() {
  const emulator::CallRecord& record = server_->calls()[calls_read_++];
  if (record.method != "sendMessage") return;
  const std::optional<UpdateId> update = answered_update(record.params.text("text"));
  if (!record.took_effect || !update) {
    checker_.stray("a sendMessage call that is not the demo's");
  } else {
    checker_.call(*update, key_of(record.chat));
  }
}

// Not before the bot has said which kinds it wants: others would never become updates.
void DemoRun::feed() {
  if (!account_->allowed.chosen()) return;
  // Not far beyond the next kill, so that there is work left for the later ones.
  const std::int64_t ahead = options_.updates / (options_.kills + 1);
  const std::int64_t limit = std::min(options_.updates, std::max(next_kill_at(), checker_.handled()) + ahead);
  for (std::size_t fed = 0; fed < fed_at_once; ++fed) {
    if (checker_.sent() >= limit || account_->queue.size() >= queued_ahead) return;
    const emulator::TrafficUpdate update = traffic_.next();
    const std::optional<UpdateId> id = account_->add(update.kind, update.body);
    if (!id) return checker_.stray("an update that the bot did not want");
    checker_.sent(*id, key_of(update.chat));
    sent_at_.push_back(clock_.mono());
  }
}

/// Handled updates.
std::int64_t DemoRun::next_kill_at() const {
  return (kills_ + 1) * options_.updates / (options_.kills + 1);
}

bool DemoRun::is_time_to_kill() const {
  // What the log shows as running is this bot's only once its own life has begun there.
  if (kills_ >= options_.kills || checker_.lives() != kills_ + 1) return false;
  const std::int64_t left = options_.updates - checker_.handled();
  const auto chats = static_cast<std::int64_t>(options_.chats);
  return checker_.handled() >= next_kill_at() &&
         checker_.running() >= std::min({running_at_kill, chats, left});
}

bool DemoRun::is_complete() const {
  return checker_.sent() == options_.updates && checker_.lost() == 0 && checker_.calls_lost() == 0 &&
         account_->queue.size() == 0 && account_->queue.waiting_again() == 0;
}

Result<void> DemoRun::check_stall() {
  const std::int64_t moves = checker_.sent() + checker_.handled() + checker_.calls() + checker_.repeated() +
                             kills_ + account_->deliveries.acknowledged();
  const MonoTime now = clock_.mono();
  if (std::exchange(moves_, moves) != moves) moved_ = now;
  if (now - moved_ < options_.patience) return {};
  return Error(Errc::cancelled, "nothing has moved for " + std::to_string(options_.patience.count()) +
                                    " s: " + to_line(progress()) + "; " +
                                    std::to_string(checker_.calls_lost()) + " calls have not arrived, " +
                                    std::to_string(account_->queue.size()) +
                                    " updates wait at the emulator; the bot's log is " + bot_log());
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
  figures.calls_in_flight = calls_in_flight_;
  figures.seconds = std::chrono::duration<double>(finished_ - started_).count();
  figures.seed = options_.seed;
  figures.deliveries.delivered = account_->deliveries.delivered();
  figures.deliveries.acknowledged = account_->deliveries.acknowledged();
  return figures;
}

}  // namespace tgkeep::demo
