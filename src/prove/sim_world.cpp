#include "prove/sim_world.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <string>
#include <utility>

namespace tgkeep::prove {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr std::size_t kUpdates = 160;
constexpr Duration kPatience = hours(24 * 3);
// Below 48 h, within which no update may be taken for a new one.
constexpr Duration kMostSteps = hours(40);

RunnerOptions choose_options(std::uint64_t seed) {
  Dice dice(seed ^ 0x5eed);
  RunnerOptions options;
  options.limit = static_cast<std::size_t>(dice.between(1, dice.chance(0.5) ? 8 : 60));
  options.timeout = dice.between(seconds(2), seconds(60));
  options.first_delay = dice.between(milliseconds(10), seconds(1));
  options.max_delay = dice.between(seconds(1), seconds(60));
  options.max_attempts = static_cast<std::uint32_t>(dice.between(1, 8));
  options.max_block = dice.between(seconds(10), seconds(dice.chance(0.5) ? 60 : 900));
  options.suspect_window = dice.between(milliseconds(500), seconds(10));
  options.max_crashes = static_cast<std::uint32_t>(dice.between(3, 12));
  options.max_stuck = static_cast<std::size_t>(dice.between(1, 20));
  options.max_heads = static_cast<std::size_t>(dice.between(2, dice.chance(0.5) ? 12 : 500));
  options.max_heads_per_key = static_cast<std::size_t>(dice.between(1, dice.chance(0.5) ? 3 : 64));
  options.seed = (seed << 1) | 1;
  return options;
}

}  // namespace

SimWorld::SimWorld(std::uint64_t seed, std::optional<Log> log)
    : scene_(std::make_unique<SimScene>(seed, choose_options(seed), std::move(log))),
      changed_(scene_->loop()) {
  scene_->storm = scene_->dice.chance(0.2) ? 0.2 : scene_->dice.chance(0.5) ? 1 : 2.5;
  scene_->kill = [this](Seq culprit) { kill(culprit); };
  by_webhook_ = scene_->dice.chance(0.5);
  telegram_ = std::make_unique<SimTelegram>(*scene_, static_cast<std::size_t>(scene_->dice.between(1, 30)));
}

SimWorld::~SimWorld() {
  if (running_ == 0) return;
  // It got stuck: its coroutines hold on to everything, and can't be ended in order.
  static_cast<void>(telegram_.release());
  static_cast<void>(life_.release());
  static_cast<void>(new std::unique_ptr<SimScene>(std::move(scene_)));
}

void SimWorld::run() {
  const auto ended = [this](const std::exception_ptr& failure) {
    --running_;
    if (failure) failure_ = failure;
  };
  running_ = 2;
  asio::co_spawn(scene_->loop(), live(), ended);
  asio::co_spawn(scene_->loop(), play(), ended);
  asio::io_context& io = *scene_->io;
  for (;;) {
    io.restart();
    io.poll();
    if (failure_) std::rethrow_exception(failure_);
    // What handlers that were given up still wait for is let pass, too.
    if (!scene_->clock.advance_to_next()) break;
  }
  if (running_ > 0)
    scene_->checker.fail(Invariant::recovery_bounded, "everything waits, and nothing would wake it");
}

void SimWorld::kill(Seq culprit) {
  if (!life_ || flag_->killed) return;
  flag_->killed = true;
  scene_->checker.crashed(culprit);
  life_->store().kill();
  changed_.notify();
}

asio::awaitable<void> SimWorld::live() {
  while (!over_) {
    scene_->shelf->open(scene_->clock.wall());
    scene_->checker.reopened();
    scene_->checker.life_began();
    compare();
    flag_ = std::make_shared<SimLifeFlag>(++sessions_ * 1000);
    life_ = std::make_unique<SimLife>(*scene_, *telegram_, flag_, choose_mode(), changed_);
    life_->start();
    while (!flag_->killed && !life_->has_failed() && wish_ != Wish::stop) {
      if (wish_ == Wish::restart_runner) co_await restart_runner();
      co_await changed_.wait();
    }
    co_await end_life();
    const Duration down = scene_->dice.between(milliseconds(0), seconds(10));
    co_await loop::sleep_for(scene_->clock, down);
  }
  co_await telegram_->end();
}

asio::awaitable<void> SimWorld::end_life() {
  const bool asked = !flag_->killed && !life_->has_failed();
  wish_ = Wish::none;
  const Duration patience = asked ? drain() : Duration::zero();
  life_->store().was_full();
  const MonoTime began = scene_->clock.mono();
  const Duration stalled = life_->store().stalled();
  const std::size_t cut_off = co_await life_->wind_down(patience);
  if (asked && !flag_->killed) {
    scene_->coverage.struck(SimFault::stopped);
    if (cut_off > 0) scene_->coverage.struck(SimFault::cut_off);
    const bool took_nothing = life_->store().was_full() || life_->has_failed();
    const Duration disk = life_->store().stalled() - stalled;
    scene_->checker.stopped(scene_->clock.mono() - began - disk, patience, took_nothing);
  }
  life_.reset();
  scene_->checker.resumed(Queue::inbox);
  scene_->checker.resumed(Queue::outbox);
  compare();
}

asio::awaitable<void> SimWorld::restart_runner() {
  wish_ = Wish::none;
  scene_->coverage.struck(SimFault::runner_restarted);
  const Duration patience = drain();
  const MonoTime began = scene_->clock.mono();
  const Duration stalled = life_->store().stalled();
  co_await life_->restart_runner(patience);
  const bool took_nothing = true;  // the other runner goes on
  const Duration disk = life_->store().stalled() - stalled;
  scene_->checker.stopped(scene_->clock.mono() - began - disk, patience, took_nothing);
  changed_.notify();
}

bool SimWorld::choose_mode() {
  if (scene_->strikes(SimFault::mode_switch, 0.3)) by_webhook_ = !by_webhook_;
  return by_webhook_;
}

asio::awaitable<void> SimWorld::play() {
  while (scene_->checker.sent() < kUpdates) {
    act();
    const Duration pause = scene_->dice.between(milliseconds(1), seconds(4));
    co_await loop::sleep_for(scene_->clock, pause);
  }
  co_await calm_down();
}

void SimWorld::act() {
  Dice& dice = scene_->dice;
  const bool burst = dice.chance(0.1);
  if (burst) scene_->coverage.struck(SimFault::burst);
  if (dice.chance(0.5)) telegram_->make_updates(burst ? dice.between(10, 30) : dice.between(1, 3));
  if (life_ && scene_->strikes(SimFault::killed, 0.02)) return kill(Seq());
  if (telegram_->is_empty() && scene_->strikes(SimFault::id_jump, 0.05)) telegram_->restart_ids();
  if (dice.chance(0.015)) wish(Wish::stop);
  if (dice.chance(0.015)) wish(Wish::restart_runner);
  if (dice.chance(0.1)) compare();
  retry_dead_letter();
  pause_or_resume();
  step_clock();
  if (life_ && scene_->strikes(SimFault::store_full, 0.01))
    life_->store().fill_up(dice.between(milliseconds(100), seconds(30)));
}

void SimWorld::wish(Wish wish) {
  wish_ = wish;
  changed_.notify();
}

void SimWorld::retry_dead_letter() {
  if (!life_ || flag_->killed) return;
  const Queue queue = scene_->dice.chance(0.5) ? Queue::inbox : Queue::outbox;
  if (!scene_->dice.chance(0.1)) return;
  const std::vector<Seq> buried = scene_->checker.mirror(queue).buried();
  if (buried.empty()) return;
  const Seq seq = buried[scene_->dice.next() % buried.size()];
  if (scene_->strikes(SimFault::dead_letter_retried, 1)) life_->store().retry(queue, seq);
}

void SimWorld::pause_or_resume() {
  if (!life_ || flag_->killed) return;
  const Queue queue = scene_->dice.chance(0.7) ? Queue::inbox : Queue::outbox;
  if (scene_->checker.is_paused(queue)) {
    if (scene_->dice.chance(0.08)) resume(queue);
  } else if (scene_->strikes(SimFault::paused, 0.02)) {
    life_->runner(queue).pause();
    scene_->checker.paused(queue);
  }
}

void SimWorld::resume(Queue queue) {
  life_->runner(queue).resume();
  scene_->checker.resumed(queue);
}

void SimWorld::step_clock() {
  const Duration step = scene_->dice.between(milliseconds(1), Duration(hours(6)));
  const auto by = std::chrono::duration_cast<milliseconds>(step);
  if (stepped_ + step < kMostSteps && scene_->strikes(SimFault::clock_forward, 0.01)) {
    stepped_ += step;
    scene_->checker.clock_stepped();
    scene_->clock.step_wall(by);
  } else if (scene_->strikes(SimFault::clock_back, 0.01)) {
    scene_->checker.clock_stepped();
    scene_->clock.step_wall(-by);
  }
}

// Nothing goes wrong any more: all that was sent must come to its end.
asio::awaitable<void> SimWorld::calm_down() {
  scene_->calm = true;
  if (life_) {
    resume(Queue::inbox);
    resume(Queue::outbox);
  }
  const MonoTime until = scene_->clock.mono() + kPatience;
  Duration pause = seconds(1);
  for (;;) {
    const bool settled = telegram_->is_empty() && scene_->checker.is_settled();
    // What is wrong already may keep it from ever coming to an end.
    if (settled || !scene_->checker.problems().empty()) break;
    if (scene_->clock.mono() > until) {
      scene_->checker.fail(Invariant::recovery_bounded,
                           "not everything was settled within days after the last fault");
      break;
    }
    co_await loop::sleep_for(scene_->clock, pause);
    pause = std::min<Duration>(pause * 2, minutes(5));
  }
  over_ = true;
  wish(Wish::stop);
  while (life_) co_await loop::sleep_for(scene_->clock, seconds(1));
  const auto state = [this](const std::string& key) {
    return scene_->shelf->state(BotId(42), "handled", key);
  };
  if (scene_->checker.problems().empty()) scene_->checker.finish(state);
}

void SimWorld::compare() {
  scene_->checker.compare(scene_->shelf->counts(), scene_->shelf->audit());
}

}  // namespace tgkeep::prove
