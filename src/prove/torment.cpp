#include "prove/torment.hpp"

#include <signal.h>

#include <algorithm>
#include <tgkeep/update.hpp>
#include <utility>

#include "emulator/webhook_key.hpp"
#include "loop/event.hpp"
#include "prove/child_bot.hpp"
#include "prove/echo_text.hpp"
#include "prove/free_port.hpp"
#include "prove/nature.hpp"
#include "prove/proof_tag.hpp"
#include "prove/store_witness.hpp"

namespace tgkeep::prove {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr Duration kTick = milliseconds(3);
constexpr Duration kStopPatience = seconds(30);
constexpr std::int64_t kBacklog = 3000;
constexpr std::int64_t kAhead = 300;  // not yet handled, but for bursts
constexpr std::int64_t kSlowAhead = 50;
constexpr std::int64_t kMostAhead = 4000;  // with bursts
constexpr std::size_t kChats = 400;
constexpr std::size_t kHotChats = 5;

}  // namespace

Torment::Torment(asio::io_context& io, Clock& clock, TormentOptions options)
    : clock_(clock),
      options_(std::move(options)),
      token_("700000002:PROOF-token-of-an-emulated-bot-00000"),
      dice_(options_.seed),
      traffic_(options_.seed, options_.workload.hot ? kHotChats : kChats) {
  emulator::BotServerOptions server;
  server.speed = options_.time_scale;
  server_ = emulator::BotServer::listen(io.get_executor(), clock, Log(), server).value();
  account_ = &server_->add_bot(token_, options_.seed);
  moved_ = clock.mono();
}

Torment::~Torment() = default;

asio::awaitable<void> Torment::run() {
  Result<void> going = co_await begin();
  const MonoTime until = clock_.mono() + options_.lasts;
  if (!going.has_error()) going = co_await go_on(until);
  calm_down();
  if (!going.has_error()) going = co_await complete();
  if (has_face()) receiver_.reset();
  if (!going.has_error()) going = co_await stop_bot();
  bot_.reset();
  receiver_.reset();
  if (going.has_error()) {
    promises_.broken(Promise::bounded_recovery, going.error().text());
  } else {
    judge();
  }
  co_await server_->stop(Duration::zero());
}

asio::awaitable<Result<void>> Torment::begin() {
  Result<Control> control = Control::open(options_.folder + "/control");
  if (!control) co_return control.error();
  control_.emplace(std::move(*control));
  for (std::uint16_t* const port : {&webhook_port_, &receiver_port_, &face_port_}) {
    const Result<std::uint16_t> found = find_port({webhook_port_, receiver_port_, face_port_});
    if (!found) co_return found.error();
    *port = *found;
  }
  if (has_receiver()) {
    Result<void> started = start_receiver();
    if (!started) co_return started;
  }
  Result<void> going = start_bot();
  // Before the bot has said which kinds it wants, others would never become updates.
  while (!going.has_error() && !account_->allowed.chosen()) {
    co_await loop::sleep_for(clock_, kTick);
    going = look();
  }
  if (!going.has_error() && options_.workload.backlog) {
    kill();
    add_updates(kBacklog);
    going = look();
  }
  script_faults();
  catch_up();
  co_return going;
}

asio::awaitable<Result<void>> Torment::go_on(MonoTime until) {
  Result<void> going;
  while (!going.has_error() && clock_.mono() < until) {
    co_await loop::sleep_for(clock_, kTick);
    feed();
    going = look();
    if (!going.has_error()) going = strike();
  }
  co_return going;
}

// All that was sent has arrived, and all that is stored is settled.
asio::awaitable<Result<void>> Torment::complete() {
  Result<void> going;
  for (;;) {
    for (int tick = 0; tick < 30 && !going.has_error(); ++tick) {
      co_await loop::sleep_for(clock_, kTick);
      going = look();
    }
    if (going.has_error()) co_return going;
    if (account_->queue.size() > 0 || account_->queue.waiting_again() > 0) continue;
    const Result<std::int64_t> open = count_open(store_folder());
    // Not to be read while the bot is being started again.
    if (open && *open == 0) break;
  }
  if (has_face() && !flooded_call_) going = co_await flood_one_chat();
  co_return going;
}

asio::awaitable<Result<void>> Torment::stop_bot() {
  const std::optional<std::string> end = co_await stop_child(*bot_, clock_, kStopPatience);
  bot_.reset();
  if (!end || *end != ended_well)
    co_return Error(Errc::cancelled, "the bot was asked to stop at the end and " +
                                         (end ? "ended with " + *end : std::string("did not")) +
                                         "; its log is " + bot_log());
  co_return read_log();
}

Result<void> Torment::start_receiver() {
  std::vector<std::string> command = {
      options_.program, "prove-receiver", "--port", std::to_string(receiver_port_),
      "--handler-log",  handler_log(),    "--seed", std::to_string(options_.seed)};
  if (has_face()) command = face_bot_command();
  auto started =
      ChildProcess::start(std::move(command), {"TGKEEP_TOKEN=" + token_}, options_.folder + "/receiver.log");
  if (!started) return started.error();
  receiver_.emplace(*std::move(started));
  return {};
}

Result<void> Torment::start_bot() {
  std::vector<std::string> command = {
      options_.program, "prove-bot",    "--api-root", server_->root(),
      "--folder",       store_folder(), "--control",  options_.folder + "/control",
      "--handler-log",  handler_log(),  "--seed",     std::to_string(options_.seed)};
  const Workload::Way way = options_.workload.way;
  const bool by_webhook =
      way == Workload::Way::webhook || (way == Workload::Way::switching && dice_.chance(0.5));
  if (by_webhook) command.insert(command.end(), {"--webhook-port", std::to_string(webhook_port_)});
  if (options_.workload.push)
    command.insert(command.end(), {"--push", "http://127.0.0.1:" + std::to_string(receiver_port_) + "/"});
  if (has_face()) command.insert(command.end(), {"--face-port", std::to_string(face_port_)});
  auto started = ChildProcess::start(std::move(command), {"TGKEEP_TOKEN=" + token_}, bot_log());
  if (!started) return started.error();
  bot_.emplace(*std::move(started));
  stopping_ = Stopping::no;
  return {};
}

void Torment::feed() {
  const std::int64_t ahead = checker_.lost() - mortal_;
  // One after another it takes long.
  const bool slow = options_.workload.face == Workload::Face::poll;
  if (slow && ahead >= kSlowAhead) return;
  if (!slow && dice_.chance(0.002) && ahead < kMostAhead / 2) {
    strikes_.add(Nemesis::burst);
    return add_updates(dice_.between(300, 1500));
  }
  if (ahead < kAhead) add_updates(dice_.between(0, 6));
}

/// Of the next update. The bot's death would end a call that waits: then it is none that the bot dies of.
UpdateId Torment::next_id(bool a_call_waits) {
  UpdateId next(account_->queue.tail());
  const auto is_poison = [this](UpdateId id) {
    return nature_of(options_.seed, id, options_.workload.has_poison()) == Nature::poison;
  };
  while (a_call_waits && is_poison(next)) {
    next = UpdateId(next.value() + 1);
    account_->queue.jump_to(next.value());
  }
  return next;
}

void Torment::note_sent(UpdateId id, std::int64_t chat, const std::string& line) {
  checker_.sent(id, chat_key(chat), line);
  deaths_before_.emplace(id.value(), deaths_);
  checker_.may_die(id);  // the dead letters are judged at the end
}

void Torment::add_updates(std::int64_t count) {
  for (; count > 0; --count) {
    const emulator::TrafficUpdate update = traffic_.next();
    const UpdateId next = next_id(flooded_call_.has_value());
    const std::optional<UpdateId> id =
        account_->add(update.kind, tagged(update.body, ProofTag(next, update.chat)));
    if (!id) return checker_.stray("an update that the bot did not want");
    note_sent(*id, update.chat, line_of(*id, update));
    if (is_mortal(nature_of(options_.seed, *id, options_.workload.has_poison()))) ++mortal_;
  }
}

/// What of a chat arrives in the order of sending: by webhook only what stands in one of Telegram's own
/// queues.
std::string Torment::line_of(UpdateId id, const emulator::TrafficUpdate& update) const {
  std::string line = chat_key(update.chat);
  if (options_.workload.way == Workload::Way::poll) return line;
  const emulator::QueuedUpdate* const queued = account_->queue.find(id.value());
  return line + " in " + std::to_string(emulator::webhook_key(update.kind, queued->text, id.value()));
}

}  // namespace tgkeep::prove
