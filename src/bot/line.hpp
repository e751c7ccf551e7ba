#pragma once
// A line of middleware at run time: its steps, and what `next` leads to.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <tgkeep/middleware.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::bot {

/// One registration.
class Step {
 public:
  Step(std::string name, std::function<bool(const BotContext&)> wanted, Middleware middleware)
      : name(std::move(name)), wanted(std::move(wanted)), middleware(std::move(middleware)) {}
  const std::string name;  ///< number in its composer and what it was registered for
  const std::function<bool(const BotContext&)> wanted;  ///< empty: every update
  const Middleware middleware;
};

/// Never changed once an update runs through it. Held by the frames of those that run: the closures of
/// handlers live in it.
using Line = std::shared_ptr<const std::vector<std::shared_ptr<const Step>>>;

/// What a Next leads to, once.
class Rest {
 public:
  virtual ~Rest() = default;
  Rest(const Rest&) = delete;
  Rest& operator=(const Rest&) = delete;
  /// Throws Failure (misuse) the second time.
  asio::awaitable<void> take();
  bool taken() const noexcept { return taken_; }

 protected:
  Rest() = default;

 private:
  virtual asio::awaitable<void> go() = 0;
  virtual std::string owner() const = 0;
  bool taken_ = false;
};

/// Leads nowhere: it only notes that it was asked.
class Mark final : public Rest {
 public:
  explicit Mark(std::string owner) : owner_(std::move(owner)) {}

 private:
  asio::awaitable<void> go() override { return nothing_more(); }
  std::string owner() const override { return owner_; }
  std::string owner_;
};

/// Runs the line from step `from` on, then `after`.
asio::awaitable<void> run_line(Line line, std::size_t from, BotContext context, Next after);

static_assert(!std::is_aggregate_v<Step> && !std::is_aggregate_v<Mark>);

}  // namespace tgkeep::bot
