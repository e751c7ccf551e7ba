#include "app/reloader.hpp"

#include <algorithm>
#include <utility>

#include "app/wiring.hpp"
#include "words/exception_text.hpp"
#include "words/joined.hpp"

namespace tgkeep::app {

namespace {

/// For requests whose answer is under way when the listener is no longer needed.
constexpr Duration kLastRequests = std::chrono::seconds(1);

std::string title(const BotOptions& options) {
  const Result<BotId> bot = bot_of(options);
  const std::string id = bot.has_value() ? " (" + std::to_string(bot->value()) + ")" : "";
  return name_of(options) + id;
}

void note_process_changes(const ProcessOptions& now, const ProcessOptions& next, Changes& changes) {
  if (now.drain != next.drain) {
    changes.push_back(
        "drain is " +
        std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(next.drain).count()) + " ms");
  }
  if (now.push_networks != next.push_networks) {
    changes.emplace_back("push.allow holds for connections that are made from now on");
  }
}

}  // namespace

Reloader::Reloader(SharedRooms& shared, Listener& listener, FaceDoor* face, Fleet& fleet,
                   ProcessOptions& process)
    : shared_(shared),
      listener_(listener),
      face_(face),
      fleet_(fleet),
      process_(process),
      log_(process.log),
      reloading_(shared.loop(), log_),
      moving_(shared.loop(), log_) {}

void Reloader::open() {
  open_ = true;
  if (std::exchange(again_, false)) ask_by_signal();
}

void Reloader::ask_by_signal() {
  if (closed_) {
    log_.warning("reload_refused", {{"why", "tgkeep is stopping"}});
    return;
  }
  if (!open_ || running_) {
    again_ = true;
    return;
  }
  begin(std::make_shared<Attempt>(shared_.loop()));
}

asio::awaitable<Result<Changes>> Reloader::reload() {
  if (closed_ || !open_) {
    co_return Error(Errc::misuse, closed_
                                      ? "tgkeep is stopping: start it again, it reads its configuration then"
                                      : "tgkeep is just starting: ask again in a moment");
  }
  if (running_) co_return Error(Errc::misuse, "a reload is running: ask again when it has ended");
  const auto attempt = std::make_shared<Attempt>(shared_.loop());
  begin(attempt);
  while (!attempt->result) co_await attempt->ended.wait();
  co_return *attempt->result;
}

void Reloader::begin(std::shared_ptr<Attempt> attempt) {
  running_ = true;
  reloading_.spawn("reload", run(std::move(attempt)));
}

asio::awaitable<void> Reloader::run(std::shared_ptr<Attempt> attempt) {
  failures_.clear();
  Result<Changes> result = co_await do_all();
  if (result.has_error()) {
    log_.error("reload_failed",
               {{"reason", to_string(result.error().code())}, {"error", result.error().text()}});
  } else {
    for (const std::string& change : *result) log_.info("changed", {{"what", change}});
    log_.info("reloaded", {{"changes", result->size()}});
  }
  attempt->result = std::move(result);
  attempt->ended.notify();
  running_ = false;
  if (std::exchange(again_, false)) ask_by_signal();
}

asio::awaitable<void> Reloader::join() {
  co_await reloading_.join();
}

Result<Changes> Reloader::read_certificates() {
  Changes changes;
  const auto note = [&changes](const Result<bool>& read, const std::string& certificate) {
    if (read.has_error()) {
      return Result<void>(
          Error(read.error().code(), read.error().text() + "; the certificate in use is kept"));
    }
    if (*read) changes.push_back("the certificate " + certificate + " was read again");
    return Result<void>();
  };
  Result<void> noted = note(listener_.reload(), listener_.options().certificate);
  if (noted.has_value() && face_ != nullptr) noted = note(face_->reload(), face_->options().certificate);
  if (noted.has_error()) return noted.error();
  return changes;
}

Result<Reconfiguration> Reloader::ask() const {
  try {
    return process_.reload();
  } catch (...) {
    return Error(Errc::bad_config,
                 "the configuration could not be read: " + words::text_of(std::current_exception()));
  }
}

asio::awaitable<Result<Changes>> Reloader::do_all() {
  if (!process_.reload) co_return read_certificates();
  const Result<Reconfiguration> next = ask();
  if (next.has_error()) co_return next.error();
  const std::vector<BotOptions> before = fleet_.options();
  const Result<ReloadPlan> plan = plan_reload(process_, before, *next, listener_.is_open());
  if (plan.has_error()) co_return plan.error();
  Changes changes;
  const Result<void> prepared = prepare(*plan, *next, changes);
  if (prepared.has_error()) {
    shared_.fit(before);
    co_return prepared.error();
  }

  note_process_changes(process_, next->process, changes);
  process_.push_networks = next->process.push_networks;
  process_.listen = listener_.options();
  shared_.allow(process_.push_networks);
  co_await carry_out(*plan, next->process.drain, changes);
  if (closed_)
    co_return Error(Errc::cancelled, "tgkeep was stopped while it reloaded; it reads all at its next start");
  process_.drain = next->process.drain;
  fleet_.arrange(plan->order);
  if (listener_.is_open() && !listener_.is_needed()) {
    co_await listener_.stop(kLastRequests);
    changes.emplace_back("nothing listens any more, as no bot needs it");
  }
  if (next->also) {
    for (std::string& change : next->also()) changes.push_back(std::move(change));
  }
  if (failures_.empty()) co_return changes;
  std::string text = words::joined(failures_, "; ");
  if (!changes.empty()) text += "; this was changed: " + words::joined(changes, "; ");
  co_return Error(Errc::bad_config, text);
}

// The last things that can go wrong before a bot is touched; in an order in which none needs to be undone but
// the opening of stores.
Result<void> Reloader::prepare(const ReloadPlan& plan, const Reconfiguration& next, Changes& changes) {
  shared_.fit(next.bots);
  Result<void> opened = open_added(plan);
  if (opened.has_error()) return opened;
  const Result<Changes> read = read_certificates();
  if (read.has_value()) changes = *read;
  if (read.has_error()) opened = read.error();
  const bool listens = std::any_of(next.bots.begin(), next.bots.end(), needs_listener);
  if (opened.has_value() && listens && !listener_.is_open()) {
    listener_.set_options(next.process.listen);
    opened = listener_.open(shared_.loop());
    if (opened.has_error()) listener_.set_options(process_.listen);
  }
  if (opened.has_value()) return opened;
  for (const BotOptions& bot : plan.added) fleet_.take_back(bot_of(bot).value());
  return opened;
}

Result<void> Reloader::open_added(const ReloadPlan& plan) {
  for (std::size_t i = 0; i < plan.added.size(); ++i) {
    Result<void> opened = fleet_.open(plan.added[i]);
    if (opened.has_value()) continue;
    for (std::size_t undone = 0; undone < i; ++undone) {
      fleet_.take_back(bot_of(plan.added[undone]).value());
    }
    return opened;
  }
  return Result<void>();
}

asio::awaitable<void> Reloader::carry_out(const ReloadPlan& plan, Duration drain, Changes& changes) {
  for (const BotId bot : plan.removed) moving_.spawn("remove", remove(bot, drain, changes));
  for (const BotChange& bot : plan.changed) moving_.spawn("change", change(bot, drain, changes));
  for (const BotOptions& added : plan.added) {
    const BotId bot = bot_of(added).value();
    fleet_.route(bot);
    co_await fleet_.begin(bot);
    changes.push_back(title(added) + " was added");
  }
  co_await moving_.join();
}

asio::awaitable<void> Reloader::remove(BotId bot, Duration drain, Changes& changes) {
  BotLife* const life = fleet_.find(bot);
  if (life == nullptr) co_return;
  const std::string name = title(life->options());
  co_await fleet_.remove(bot, drain);
  changes.push_back(name + " was removed; its store is left as it is");
}

asio::awaitable<void> Reloader::change(const BotChange& change, Duration drain, Changes& changes) {
  const std::string name = title(change.options);
  const Result<void> changed = co_await fleet_.change(change.bot, change.options, drain);
  if (changed.has_error()) {
    failures_.push_back(changed.error().text());
    co_return;
  }
  changes.push_back(name + " was started again with other " + words::joined(change.settings, ", "));
}

}  // namespace tgkeep::app
