#include "app/fleet.hpp"

#include <algorithm>
#include <utility>

#include "app/bot_difference.hpp"
#include "app/reload_plan.hpp"
#include "app/wiring.hpp"
#include "rules/bounded.hpp"

namespace tgkeep::app {

namespace {

/// What calls get to end, those of the outbox and those at the face, even when the handlers used up the
/// drain: one that is cut off would be in doubt.
constexpr Duration kLastCalls = std::chrono::seconds(1);

Error about(const BotOptions& bot, const Error& error) {
  if (bot.name.empty()) return error;
  return Error(error.code(), name_of(bot) + ": " + error.text());
}

}  // namespace

Fleet::Fleet(SharedRooms& shared, Listener& listener, FaceDoor* face, Log log,
             std::function<void(const Error&)> on_failed)
    : shared_(shared),
      listener_(listener),
      face_(face),
      log_(std::move(log)),
      on_failed_(std::move(on_failed)),
      closing_(shared.loop(), log_) {}

Fleet::Berth* Fleet::berth_of(BotId bot) const {
  const auto same = [bot](const auto& berth) { return berth->bot == bot; };
  const auto found = std::find_if(berths_.begin(), berths_.end(), same);
  return found == berths_.end() ? nullptr : found->get();
}

Result<void> Fleet::give_life(Berth& berth, const BotOptions& options, std::shared_ptr<Store> store,
                              bool anew) {
  try {
    BotOptions of_life = options;
    if (anew) of_life.drop_pending = false;
    berth.life = std::make_unique<BotLife>(shared_, std::move(of_life), std::move(store), log_, on_failed_);
    berth.live = std::make_unique<LiveBot>(*berth.life);
    berth.options = options;
  } catch (const Failure& failure) {
    return about(options, failure.error());
  } catch (const std::exception& failure) {
    return about(options, Error(Errc::store_unusable, std::string("it can't be started, ") + failure.what() +
                                                          "; check the limits of threads and memory"));
  }
  return Result<void>();
}

Result<void> Fleet::open(const BotOptions& options) {
  const Result<BotId> bot = bot_of(options);
  if (bot.has_error()) return about(options, bot.error());
  auto berth = std::make_unique<Berth>(*bot, options);
  const Result<void> given = give_life(*berth, options, nullptr, false);
  if (given.has_value()) berths_.push_back(std::move(berth));
  return given;
}

void Fleet::take_back(BotId bot) {
  std::erase_if(berths_, [bot](const auto& berth) { return berth->bot == bot; });
}

void Fleet::route(BotId bot) {
  BotLife* const life = find(bot);
  if (life == nullptr) return;
  const BotOptions& options = life->options();
  Rooms& rooms = life->rooms();
  if (options.webhook) listener_.add_webhook(options.webhook->path, bot, *rooms.webhook(), life->visits());
  if (options.push && options.push->accept_202) {
    listener_.add_settlements(settle_prefix(bot, options), bot, *rooms.push(), life->visits());
  }
  if (face_ != nullptr) face_->add(bot, options.token, *rooms.face(), life->visits());
}

asio::awaitable<void> Fleet::begin(BotId bot) {
  Berth* const berth = berth_of(bot);
  if (berth != nullptr) co_await start(*berth);
}

asio::awaitable<void> Fleet::start(Berth& berth) {
  if (stopping_ || berth.life == nullptr) co_return;
  co_await berth.life->begin();
  if (!stopping_) {
    if (receiving_) berth.life->resume_receiving();
    berth.moving = false;
    co_return;
  }
  co_await wind_down_one(berth, stop_by_);
}

// Requests are put off only when the source has ended and said so itself: until then what comes is stored.
asio::awaitable<bool> Fleet::end(Berth& berth, Duration drain) {
  berth.moving = true;
  BotLife& life = *berth.life;
  const MonoTime until = shared_.clock().mono() + rules::bounded(drain);
  const std::size_t cut_off = co_await life.wind_down(until, kLastCalls);
  last_[berth.bot] = life.last_stats();
  if (!stopping_) {
    listener_.put_off(berth.bot);
    if (face_ != nullptr) face_->put_off(berth.bot);
    co_await empty(berth, until);
  }
  if (stopping_) cut_off_ += cut_off;
  co_return !stopping_;
}

// What the bot has asked for at its face may take much longer than a drain: an upload, a call whose turn has
// not come.
asio::awaitable<void> Fleet::empty(const Berth& berth, MonoTime until) {
  Visits& visits = berth.life->visits();
  visits.close();
  Clock& clock = shared_.clock();
  const MonoTime patience = std::max(until, clock.mono() + kLastCalls);
  const bool left = co_await visits.wait_until_empty(clock, patience);
  if (left) co_return;
  const std::size_t cut_off = visits.break_off();
  if (cut_off > 0) log_.warning("face_requests_cut_off", {{"bot", berth.bot.value()}, {"requests", cut_off}});
  co_await visits.wait_until_empty();
}

asio::awaitable<void> Fleet::remove(BotId bot, Duration drain) {
  Berth* const berth = berth_of(bot);
  if (berth == nullptr || berth->life == nullptr) co_return;
  const bool ended = co_await end(*berth, drain);
  if (!ended) co_return;
  listener_.remove_put_off(bot);
  if (face_ != nullptr) face_->remove_put_off(bot);
  take_back(bot);
}

asio::awaitable<Result<void>> Fleet::change(BotId bot, BotOptions next, Duration drain) {
  Berth* const berth = berth_of(bot);
  if (berth == nullptr || berth->life == nullptr) {
    co_return Error(Errc::misuse, "bot " + std::to_string(bot.value()) + " does not run");
  }
  const bool ended = co_await end(*berth, drain);
  if (!ended) co_return Error(Errc::cancelled, name_of(next) + " was not changed, as tgkeep stops");
  const BotOptions before = berth->options;
  std::shared_ptr<Store> store;
  if (same_store(before, next)) store = berth->life->rooms().shared_store();
  berth->live.reset();
  berth->life.reset();
  Result<void> opened = give_life(*berth, next, store, true);
  if (opened.has_error()) {
    const Result<void> again = give_life(*berth, before, store, true);
    if (again.has_error()) {
      on_failed_(again.error());
      co_return again;
    }
    opened = Error(opened.error().code(),
                   name_of(before) + " goes on with its old settings: " + opened.error().text());
  }
  store.reset();
  route(bot);
  listener_.remove_put_off(bot);
  co_await start(*berth);
  co_return opened;
}

void Fleet::arrange(const std::vector<BotId>& order) {
  const auto rank = [&order](const std::unique_ptr<Berth>& berth) {
    return std::find(order.begin(), order.end(), berth->bot);
  };
  std::stable_sort(berths_.begin(), berths_.end(),
                   [&rank](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

asio::awaitable<void> Fleet::stop_receiving() {
  if (receiving_) log_.info("draining", {{"what", "nothing more is received; what is stored goes on"}});
  receiving_ = false;
  for (const BotId bot : bots()) {
    BotLife* const life = find(bot);
    if (life == nullptr || !life->visits().open()) continue;
    const Visit visit(life->visits());
    co_await life->stop_receiving();
    // Somebody changed their mind meanwhile.
    if (receiving_) life->resume_receiving();
  }
}

void Fleet::resume_receiving() {
  if (!receiving_) log_.info("receiving");
  receiving_ = true;
  for (const auto& berth : berths_) {
    if (!berth->moving) berth->life->resume_receiving();
  }
}

asio::awaitable<void> Fleet::wind_down(MonoTime until) {
  stopping_ = true;
  stop_by_ = until;
  for (const auto& berth : berths_) {
    if (!berth->moving) closing_.spawn("wind_down", wind_down_one(*berth, until));
    if (!berth->moving || berth->life == nullptr) continue;
    berth->life->hurry(until);
    berth->life->visits().give_up();
  }
  co_await closing_.join();
}

asio::awaitable<void> Fleet::wind_down_one(Berth& berth, MonoTime until) {
  const std::size_t cut_off = co_await berth.life->wind_down(until, kLastCalls);
  cut_off_ += cut_off;
  last_[berth.bot] = berth.life->last_stats();
}

void Fleet::hurry(MonoTime until) {
  stop_by_ = std::min(stop_by_, until);
  for (const auto& berth : berths_) {
    if (berth->life != nullptr) berth->life->hurry(until);
  }
}

std::vector<BotId> Fleet::bots() const {
  std::vector<BotId> all;
  for (const auto& berth : berths_) all.push_back(berth->bot);
  return all;
}

std::vector<BotOptions> Fleet::options() const {
  std::vector<BotOptions> all;
  for (const auto& berth : berths_) all.push_back(berth->options);
  return all;
}

BotLife* Fleet::find(BotId bot) const {
  const Berth* const berth = berth_of(bot);
  return berth == nullptr ? nullptr : berth->life.get();
}

std::vector<admin::OperatedBot*> Fleet::operated() const {
  std::vector<admin::OperatedBot*> all;
  for (const auto& berth : berths_) {
    if (berth->live != nullptr && berth->life->visits().open()) all.push_back(berth->live.get());
  }
  return all;
}

asio::awaitable<GatewayStats> Fleet::collect(BotId bot) {
  BotLife* const life = find(bot);
  if (life == nullptr || !life->visits().open()) co_return last_stats(bot);
  const Visit visit(life->visits());
  GatewayStats stats = co_await life->collect();
  co_return stats;
}

GatewayStats Fleet::last_stats(BotId bot) const {
  const auto last = last_.find(bot);
  return last == last_.end() ? GatewayStats() : last->second;
}

}  // namespace tgkeep::app
