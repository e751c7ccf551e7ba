#include "prove/sim_handler.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <stdexcept>
#include <tgkeep/update.hpp>
#include <utility>

#include "loop/event.hpp"

namespace tgkeep::prove {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Said = MirrorRow::Said;

namespace {

/// What one call of the handler will do.
class Script {
 public:
  Script() = default;
  Duration takes{};
  Duration deaf{};      ///< how long it goes on after it was cancelled
  bool poison = false;  ///< ends the process
  bool throws = false;
  Outcome outcome = Outcome::done();
};

/// The update's own nature: the same at every attempt.
std::uint64_t nature(const Item& item) {
  return stable_hash(std::to_string(item.update_id.value()), item.run) % 1000;
}

Duration working_time(SimScene& scene) {
  Dice& dice = scene.dice;
  if (dice.chance(0.7)) return dice.between(microseconds(100), milliseconds(50));
  if (dice.chance(0.8)) return dice.between(milliseconds(50), seconds(2));
  return dice.between(seconds(0), scene.options.timeout * 8 / 10);
}

void leave_calls(SimScene& scene, const Item& item, Outcome& outcome) {
  if (!item.keys.empty())
    outcome.state.emplace_back("handled", item.keys.front(), std::to_string(item.seq.value()));
  if (item.keys.empty() || !item.keys.front().starts_with("chat:")) return;
  const std::int64_t calls = scene.dice.between(0, 9);
  const std::uint32_t count = calls < 3 ? 0 : calls < 9 ? 1 : 2;
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::int64_t policy = scene.dice.between(0, 9);
    const DoubtPolicy doubt = policy == 0   ? DoubtPolicy::ask
                              : policy == 1 ? DoubtPolicy::skip
                                            : DoubtPolicy::resend;
    const std::string token = SimChecker::call_token(item.update_id, item.run, n);
    outcome.calls.emplace_back(
        "sendMessage", "{\"chat_id\":" + item.keys.front().substr(5) + ",\"text\":\"" + token + "\"}", doubt);
  }
}

Script write_script(SimScene& scene, const Item& item) {
  Script script;
  script.takes = working_time(scene);
  const std::uint64_t own = nature(item);
  if (own < 4) {
    script.poison = true;
  } else if (own < 20 || scene.strikes(SimFault::handler_throws, 0.03)) {
    script.throws = true;
    if (own < 20) scene.coverage.struck(SimFault::handler_throws);
  } else if (scene.strikes(SimFault::handler_retry, 0.01)) {
    script.outcome = Outcome::retry("again");
  } else if (scene.strikes(SimFault::handler_retry_after, 0.01)) {
    script.outcome = Outcome::retry_after(scene.dice.between(milliseconds(1), seconds(60)), "again later");
  } else if (scene.strikes(SimFault::handler_dead, 0.01)) {
    script.outcome = Outcome::dead("scripted", "give it up");
  } else if (scene.strikes(SimFault::handler_postpone, 0.01)) {
    script.outcome = Outcome::postpone(scene.dice.between(milliseconds(0), seconds(20)), "not now");
  } else if (scene.strikes(SimFault::handler_times_out, 0.005)) {
    script.takes = scene.options.timeout + scene.dice.between(seconds(1), seconds(100));
  } else if (scene.strikes(SimFault::handler_ends_late, 0.005)) {
    script.takes = scene.options.timeout + seconds(1);
    script.deaf = scene.dice.between(milliseconds(1), seconds(30));
  }
  if (script.outcome.kind == Outcome::Kind::done && !script.throws && !script.poison)
    leave_calls(scene, item, script.outcome);
  return script;
}

Said word_of(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::done:
      return Said::done;
    case Outcome::Kind::dead:
      return Said::dead;
    case Outcome::Kind::postpone:
      return Said::postpone;
    case Outcome::Kind::retry:
    case Outcome::Kind::doubt:
      break;
  }
  return Said::failed;
}

asio::awaitable<Outcome> handle(SimScene& scene, std::shared_ptr<SimLifeFlag> life, Context context) {
  const Item item = context.item();
  if (life->killed) throw boost::system::system_error(asio::error::operation_aborted);
  const std::int64_t flight = scene.checker.handler_started(item, life->session);
  Script script = write_script(scene, item);
  bool cancelled = false;
  bool late = false;
  try {
    co_await loop::sleep_for(scene.clock, script.takes);
  } catch (const boost::system::system_error&) {
    cancelled = true;
  }
  if (cancelled && script.deaf > Duration::zero()) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await loop::sleep_for(scene.clock, script.deaf);
    cancelled = false;
    late = true;
  }
  if (life->killed) throw boost::system::system_error(asio::error::operation_aborted);
  if (cancelled) {
    scene.checker.handler_ended(item, flight, Said::failed, late);
    throw boost::system::system_error(asio::error::operation_aborted);
  }
  if (script.poison) {
    scene.coverage.struck(SimFault::poison_update);
    scene.kill(item.seq);
    throw std::runtime_error("poison");
  }
  if (script.throws) {
    scene.checker.handler_ended(item, flight, Said::failed, late);
    throw std::runtime_error("boom");
  }
  scene.checker.handler_ended(item, flight, word_of(script.outcome.kind), late);
  co_return std::move(script.outcome);
}

}  // namespace

Handler make_sim_handler(SimScene& scene, std::shared_ptr<SimLifeFlag> life) {
  return
      [&scene, life = std::move(life)](Context context) { return handle(scene, life, std::move(context)); };
}

}  // namespace tgkeep::prove
