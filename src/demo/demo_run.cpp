#include "demo/demo_run.hpp"

#include <signal.h>

#include <algorithm>
#include <tgkeep/update.hpp>
#include <utility>

#include "demo/receiver.hpp"
#include "emulator/webhook_key.hpp"
#include "loop/event.hpp"
#include "prove/child_bot.hpp"
#include "prove/echo_text.hpp"
#include "prove/free_port.hpp"
#include "prove/store_witness.hpp"

namespace tgkeep::demo {

namespace asio = boost::asio;
using prove::chat_key;
using prove::count_calls_in_flight;
using prove::ended_well;
using prove::find_port;

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

// Of webhook requests: so many in a hundred are sent on two connections at once.
constexpr std::uint64_t sent_twice = 1;
// How much faster than Telegram the emulator repeats a webhook request: its pauses reach two minutes.
constexpr double webhook_speed = 20;

emulator::BotServerOptions server_options() {
  emulator::BotServerOptions options;
  options.speed = webhook_speed;
  return options;
}

}  // namespace

DemoRun::DemoRun(asio::io_context& io, Clock& clock, const DemoOptions& options, std::string folder)
    : clock_(clock),
      options_(options),
      folder_(std::move(folder)),
      token_("700000001:DEMO-token-of-an-emulated-bot-000000"),
      server_(emulator::BotServer::listen(io.get_executor(), clock, Log(), server_options()).value()),
      traffic_(options.seed, options.chats),
      started_(clock.mono()),
      finished_(started_),
      moved_(started_) {
  account_ = &server_->add_bot(token_, options.seed);
  account_->queue.send_confirmed_again(sent_again);
  script_duplicates();
}

void DemoRun::script_duplicates() {
  server_->set_webhook_faults([seed = options_.seed](const emulator::WebhookRecord& record) {
    const bool chosen = stable_hash(std::to_string(record.update.value()), seed) % 100 < sent_twice;
    return chosen ? emulator::WebhookFault::twice : emulator::WebhookFault::none;
  });
}

DemoRun::~DemoRun() = default;

asio::awaitable<Result<void>> DemoRun::run() {
  Result<void> ended = co_await drive();
  if (ended.has_error()) {
    bot_.reset();
    receiver_.reset();
    const Result<void> ignored = look();
    static_cast<void>(ignored);
  }
  co_await server_->stop(Duration::zero());
  co_return ended;
}

asio::awaitable<Result<void>> DemoRun::drive() {
  Result<void> going = co_await start();
  while (!going.has_error() && !is_complete()) {
    co_await loop::sleep_for(clock_, tick);
    feed();
    going = look();
    if (!going.has_error() && is_time_to_kill()) going = kill();
    if (!going.has_error()) going = check_stall();
  }
  finished_ = clock_.mono();
  if (!going.has_error()) going = co_await stop_bot();
  co_return going;
}

asio::awaitable<Result<void>> DemoRun::start() {
  if (options_.webhook) {
    const Result<std::uint16_t> port = find_port();
    if (!port) co_return port.error();
    webhook_port_ = *port;
  }
  if (options_.push) {
    // The bot shall find it listening; a refused connection would make it pause at once.
    Result<void> going = start_receiver();
    while (!going.has_error() && checker_.lives() == 0) {
      co_await loop::sleep_for(clock_, tick);
      going = look();
      if (!going.has_error()) going = check_stall();
    }
    if (going.has_error()) co_return going;
  }
  co_return start_bot();
}

Result<void> DemoRun::start_receiver() {
  if (receiver_port_ == 0) {
    const Result<std::uint16_t> port = find_port({webhook_port_});
    if (!port) return port.error();
    receiver_port_ = *port;
  }
  auto started = demo::start_receiver(folder_, receiver_port_, options_.seed, handler_log());
  if (!started) return started.error();
  receiver_.emplace(*std::move(started));
  return {};
}

Result<void> DemoRun::start_bot() {
  std::vector<std::string> command = options_.pipeline_command;
  command.insert(command.end(), {"--api-root", server_->root(), "--folder", store_folder(), "--handler-log",
                                 handler_log(), "--seed", std::to_string(options_.seed)});
  if (options_.webhook) command.insert(command.end(), {"--webhook-port", std::to_string(webhook_port_)});
  if (options_.push) {
    command.insert(command.end(), {"--push", "http://127.0.0.1:" + std::to_string(receiver_port_) + "/"});
  }
  auto started = ChildProcess::start(std::move(command), {"TGKEEP_TOKEN=" + token_}, bot_log());
  if (!started) return started.error();
  bot_.emplace(*std::move(started));
  return {};
}

Result<void> DemoRun::kill() {
  // A receiver goes on with what a killed bot had handed it: what runs must be counted before.
  std::int64_t running = checker_.running();
  std::string calls;
  ++kills_;
  if (options_.kill_receiver) {
    receiver_->end();
  } else {
    const Result<std::int64_t> in_flight = kill_bot();
    if (!in_flight) return in_flight.error();
    calls = " and " + std::to_string(*in_flight) + " calls";
  }
  if (Result<void> read = look(); read.has_error()) return read;
  if (options_.kill_receiver || !options_.push) running = checker_.running();
  if (running > 0) ++kills_in_flight_;
  line_.say("kill " + std::to_string(kills_) + " of " + std::to_string(options_.kills) + " at " +
            std::to_string(checker_.handled()) + " handled, with " + std::to_string(running) + " handlers" +
            calls + " in flight; starting again");
  return options_.kill_receiver ? start_receiver() : start_bot();
}

Result<std::int64_t> DemoRun::kill_bot() {
  bot_->end();
  const Result<std::int64_t> calls = count_calls_in_flight(store_folder());
  if (calls) calls_in_flight_ += *calls;
  return calls;
}

asio::awaitable<Result<void>> DemoRun::stop_bot() {
  const std::optional<std::string> end = co_await prove::stop_child(*bot_, clock_, stop_patience);
  bot_.reset();
  const std::string where = "; its log is " + bot_log();
  if (!end) co_return Error(Errc::cancelled, "the bot did not stop within 45 s of SIGTERM" + where);
  if (*end != ended_well)
    co_return Error(Errc::cancelled, "the bot was asked to stop and ended with " + *end + where);
  Result<void> read = look();
  co_return read;
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
    checker_.sent(*id, chat_key(update.chat), line_of(*id, update));
    sent_at_.push_back(clock_.mono());
  }
}

/// What of a chat arrives in the order of sending: by webhook only what stands in one of Telegram's own
/// queues.
std::string DemoRun::line_of(UpdateId id, const emulator::TrafficUpdate& update) const {
  std::string line = chat_key(update.chat);
  if (!options_.webhook) return line;
  const emulator::QueuedUpdate* const queued = account_->queue.find(id.value());
  return line + " in " + std::to_string(emulator::webhook_key(update.kind, queued->text, id.value()));
}

/// Handled updates.
std::int64_t DemoRun::next_kill_at() const {
  return (kills_ + 1) * options_.updates / (options_.kills + 1);
}

bool DemoRun::is_time_to_kill() const {
  // What the log shows as running is the next victim's only once its own life (or epoch) has begun there.
  const bool by_epoch = options_.push && !options_.kill_receiver;
  const std::int64_t begun = by_epoch ? checker_.epochs() : checker_.lives();
  if (kills_ >= options_.kills || begun != kills_ + 1) return false;
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

}  // namespace tgkeep::demo
