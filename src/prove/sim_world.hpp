#pragma once
// One simulation from a seed: a process that lives, is stopped, killed and started again, in virtual time on
// one thread.

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <tgkeep/log.hpp>

#include "prove/sim_life.hpp"

namespace tgkeep::prove {

class SimWorld {
 public:
  /// The same seed gives the same simulation. With `log`, all that happens is written to it.
  explicit SimWorld(std::uint64_t seed, std::optional<Log> log = std::nullopt);
  ~SimWorld();
  SimWorld(const SimWorld&) = delete;
  SimWorld& operator=(const SimWorld&) = delete;

  /// Runs it to its end. Call once.
  void run();
  const SimChecker& checker() const noexcept { return scene_->checker; }
  const SimCoverage& coverage() const noexcept { return scene_->coverage; }
  /// Virtual time that passed.
  Duration lasted() const { return scene_->clock.mono().time_since_epoch(); }

 private:
  enum class Wish : std::uint8_t { none, stop, restart_runner };

  asio::awaitable<void> play();
  asio::awaitable<void> live();
  asio::awaitable<void> end_life();
  asio::awaitable<void> restart_runner();
  asio::awaitable<void> calm_down();
  void act();
  void retry_dead_letter();
  void pause_or_resume();
  void resume(Queue queue);
  void step_clock();
  void wish(Wish wish);
  void kill(Seq culprit);
  void compare();
  bool choose_mode();
  Duration drain() { return scene_->dice.between(Duration::zero(), Duration(std::chrono::seconds(20))); }

  std::unique_ptr<SimScene> scene_;
  loop::Event changed_;
  std::unique_ptr<SimTelegram> telegram_;
  std::shared_ptr<SimLifeFlag> flag_;
  std::unique_ptr<SimLife> life_;
  std::int64_t sessions_ = 0;
  bool by_webhook_;
  Wish wish_ = Wish::none;
  bool over_ = false;   ///< no further life
  Duration stepped_{};  ///< of the wall clock, all forward steps
  int running_ = 0;     ///< of play and live
  std::exception_ptr failure_;
};

}  // namespace tgkeep::prove
