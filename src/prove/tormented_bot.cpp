#include "prove/tormented_bot.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <tgkeep/gateway.hpp>

#include "loop/real_clock.hpp"
#include "prove/child_bot.hpp"
#include "prove/echo_text.hpp"
#include "prove/handler_log.hpp"
#include "prove/nature.hpp"
#include "prove/tormented_disk.hpp"
#include "prove/witness.hpp"

namespace tgkeep::prove {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr seconds kTimeout{5};
constexpr std::size_t kPushes = 100;
// Longer than anything is frozen: a request that is given up must not meet its successor at the receiver.
constexpr seconds kPushTimeout{30};
// Longer than the flood wait that one chat is given.
constexpr seconds kFaceMaxWait{120};

/// The machine's clock, set wrong by the control page.
class SetClock final : public Clock {
 public:
  SetClock(asio::any_io_executor loop, const ControlPage& page) : real_(std::move(loop)), page_(page) {}
  MonoTime mono() const override { return real_.mono(); }
  WallTime wall() const override { return real_.wall() + milliseconds(page_.clock_offset); }
  std::unique_ptr<Alarm> at(MonoTime when, std::function<void()> wake) override {
    return real_.at(when, std::move(wake));
  }

 private:
  loop::RealClock real_;
  const ControlPage& page_;
};

Call answer_to(const Item& item, const std::string& key) {
  return Call("sendMessage", "{\"chat_id\":" + key.substr(key.rfind(':') + 1) + ",\"text\":\"" +
                                 echo_text(item.update_id) + "\"}");
}

asio::awaitable<Outcome> handle(std::shared_ptr<const Witness> witness, std::uint64_t seed, Context context) {
  const Item& item = context.item();
  const std::string key = item.keys.empty() ? "none" : item.keys.front();
  const std::int64_t epoch = item.epoch.value();
  witness->write(start_line(item.update_id, key, item.attempt, context.repeated(), epoch));
  const Nature nature = nature_of(seed, item.update_id, true);
  std::chrono::microseconds takes = working_time(seed, item.update_id, nature);
  if (nature == Nature::hangs && item.attempt == 1) takes = kTimeout * 3;

  const asio::any_io_executor strand = co_await asio::this_coro::executor;
  asio::steady_timer working(strand);
  working.expires_after(takes);
  bool cancelled = false;
  try {
    co_await working.async_wait(asio::use_awaitable);
  } catch (const std::exception&) {
    cancelled = true;
  }
  if (nature == Nature::poison) std::abort();
  if (cancelled || fails(nature, item.attempt)) {
    witness->write(fail_line(item.update_id, key, epoch));
    throw std::runtime_error(cancelled ? "cut off" : "it stumbles");
  }
  if (nature == Nature::refused) {
    witness->write(fail_line(item.update_id, key, epoch));
    co_return Outcome::dead("refused", "the handler gives it up");
  }
  Outcome outcome = Outcome::done();
  outcome.calls.push_back(answer_to(item, key));
  witness->write(end_line(item.update_id, key, epoch));
  co_return outcome;
}

// Everything waits shorter than in life, so that a run sees it end.
void hurry(RunnerOptions& runner) {
  runner.limit = 100;
  runner.timeout = kTimeout;
  runner.first_delay = milliseconds(50);
  runner.max_delay = milliseconds(500);
  runner.max_attempts = 5;
  runner.suspect_window = seconds(1);
  // The proof's own kills must not use up what an innocent update may bear.
  runner.max_crashes = 1000;
}

GatewayOptions gateway_options(const TormentedBotOptions& options) {
  GatewayOptions gateway = child_bot_options(options.api_root, options.folder);
  gateway.take_over = true;
  gateway.poll_timeout = seconds(5);
  gateway.drain = seconds(kTormentedDrainSeconds);
  hurry(gateway.inbox);
  hurry(gateway.outbox);
  gateway.outbox.timeout = seconds(30);
  if (options.webhook_port != 0) receive_at(gateway, options.webhook_port, "the-proof-s-own-secret");
  if (!options.push_url.empty()) {
    PushSettings push;
    push.url = options.push_url;
    push.concurrency = kPushes;
    push.timeout = kPushTimeout;
    push.rules = {{410, PushRule::dead}};
    gateway.push = push;
  }
  if (options.face_port != 0) {
    gateway.pull = PullSettings();
    gateway.face = FaceOptions();
    gateway.face->port = options.face_port;
    gateway.face->max_wait = kFaceMaxWait;
  }
  return gateway;
}

}  // namespace

int run_tormented_bot(const TormentedBotOptions& options) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  GatewayOptions gateway = gateway_options(options);
  const Log log = gateway.log;
  const Result<Control> control = Control::open(options.control);
  if (!control) {
    log.error("start_failed", {{"error", control.error().text()}});
    return static_cast<int>(ExitCode::failed);
  }
  ControlPage& page = **control;
  ++page.lives;
  gateway.clock = [&page](asio::any_io_executor loop) -> std::unique_ptr<Clock> {
    return std::make_unique<SetClock>(std::move(loop), page);
  };
  TormentedDisk disk(page);
  const DiskVfs vfs("tgkeep_tormented", disk, true);
  if (gateway.push || gateway.pull) return Gateway(std::move(gateway), Handler()).run();
  const auto opened = Witness::open(options.handler_log);
  if (!opened) {
    log.error("start_failed", {{"error", opened.error().text()}});
    return static_cast<int>(ExitCode::failed);
  }
  Handler handler = [witness = *opened, seed = options.seed](Context context) {
    return handle(witness, seed, std::move(context));
  };
  return Gateway(std::move(gateway), std::move(handler)).run();
}

}  // namespace tgkeep::prove
