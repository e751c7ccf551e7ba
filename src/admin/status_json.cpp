#include "admin/status_json.hpp"

#include <unistd.h>

#include <boost/json/array.hpp>
#include <map>
#include <string>

#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

json::value seconds_or_null(const std::optional<double>& seconds) {
  return seconds ? json::value(*seconds) : json::value(nullptr);
}

json::object counts_json(const std::map<std::string, std::int64_t>& counts) {
  json::object shown;
  for (const auto& [name, count] : counts) shown[as_text(name)] = count;
  return shown;
}

json::value source_json(const BotPicture& bot, MonoTime now) {
  if (!bot.source) return nullptr;
  const SourceStats& stats = *bot.source;
  json::object source;
  source["kind"] = bot.facts.source;
  source["healthy"] = stats.fine();
  source["problem"] = as_text(stats.problem);
  source["last_success_s"] = seconds_or_null(age_of(stats.last_success, now));
  source["first_since_s"] = seconds_or_null(age_of(stats.first_since, now));
  source["received"] = stats.received;
  source["stored"] = stats.stored;
  source["duplicates"] = stats.duplicates;
  source["unreadable"] = stats.unreadable;
  source["failures"] = stats.failures;
  return source;
}

json::object target_json(const BotPicture& bot) {
  json::object target;
  target["kind"] = bot.facts.target;
  target["reachable"] = nullptr;
  if (bot.inbox.runner) target["reachable"] = !bot.inbox.runner->target_paused;
  return target;
}

json::value face_json(const std::optional<FaceStats>& face, MonoTime now) {
  if (!face) return nullptr;
  json::object shown;
  shown["pulls"] = face->pulls;
  shown["own_webhook"] = nullptr;
  if (!face->webhook.empty()) shown["own_webhook"] = as_text(face->webhook);
  shown["own_webhook_error"] = as_text(face->webhook_error);
  shown["polls"] = face->pull.polls;
  shown["pollers"] = face->pull.pollers;
  shown["last_poll_s"] = seconds_or_null(age_of(face->pull.last_poll, now));
  shown["handed_out"] = face->pull.handed_out;
  shown["waiting"] = face->pull.waiting;
  shown["unconfirmed"] = face->pull.unconfirmed;
  shown["restarts"] = face->pull.restarts;
  json::object calls;
  calls["passed"] = face->outgoing.passed;
  calls["refused"] = face->outgoing.refused;
  calls["not_sent"] = face->outgoing.not_sent;
  calls["maybe_sent"] = face->outgoing.maybe_sent;
  calls["held_back"] = face->outgoing.held_back;
  calls["hung_up"] = face->outgoing.hung_up;
  calls["resent"] = face->outgoing.resent;
  calls["waiting"] = face->outgoing.waiting;
  calls["running"] = face->outgoing.running;
  calls["flooded"] = face->outgoing.flooded;
  shown["calls"] = std::move(calls);
  return shown;
}

json::value runner_json(const std::optional<RunnerStats>& stats) {
  if (!stats) return nullptr;
  json::object runner;
  runner["started"] = stats->started;
  runner["running"] = stats->running;
  runner["stuck"] = stats->stuck;
  runner["stuck_pause"] = stats->paused;
  runner["flooded"] = stats->flooded;
  runner["retried"] = stats->retried;
  runner["timed_out"] = stats->timed_out;
  runner["heads"] = stats->heads;
  return runner;
}

json::object queue_json(const QueueCounts& counts, const QueuePicture& picture, WallTime now) {
  json::object queue;
  queue["stored"] = counts.stored;
  queue["pending"] = counts.pending;
  queue["in_flight"] = counts.in_flight;
  queue["retrying"] = counts.retrying;
  queue["held"] = counts.held;
  queue["done"] = counts.done;
  queue["duplicates"] = counts.duplicates;
  queue["dead"] = counts_json(counts.dead);
  queue["dropped"] = counts_json(counts.dropped);
  queue["in_doubt"] = counts.in_doubt;
  queue["oldest_s"] = seconds_or_null(age_of_oldest(counts, now));
  queue["balanced"] = is_balanced(counts);
  queue["paused"] = picture.paused;
  queue["runner"] = runner_json(picture.runner);
  return queue;
}

json::object store_json(const BotPicture& bot) {
  json::object store;
  store["epoch"] = bot.epoch.value();
  store["file_bytes"] = bot.store.file_bytes;
  store["wal_bytes"] = bot.store.wal_bytes;
  store["history_bytes"] = bot.store.history_bytes;
  store["disk_free"] = nullptr;
  if (bot.store.disk_free) store["disk_free"] = *bot.store.disk_free;
  store["reserve"] = bot.store.reserve;
  store["full"] = bot.store.full;
  return store;
}

json::object bot_json(const BotPicture& bot, const Picture& picture) {
  json::object shown;
  shown["id"] = bot.facts.id.value();
  shown["name"] = as_text(bot.facts.name);
  shown["folder"] = as_text(bot.facts.folder);
  shown["limit"] = bot.facts.limit;
  shown["source"] = source_json(bot, picture.mono);
  shown["target"] = target_json(bot);
  shown["face"] = face_json(bot.face, picture.mono);
  shown["error"] = nullptr;
  if (bot.counts) {
    shown["inbox"] = queue_json(bot.counts->inbox, bot.inbox, picture.wall);
    shown["outbox"] = queue_json(bot.counts->outbox, bot.outbox, picture.wall);
  } else {
    shown["error"] = as_text(bot.trouble.text());
    shown["inbox"] = nullptr;
    shown["outbox"] = nullptr;
  }
  shown["store"] = store_json(bot);
  return shown;
}

}  // namespace

json::object status_json(const Picture& picture, std::string_view version) {
  json::object status;
  status["version"] = version;
  status["live"] = picture.live;
  status["pid"] = nullptr;
  status["started_at"] = nullptr;
  status["uptime_s"] = nullptr;
  if (picture.live) {
    status["pid"] = static_cast<std::int64_t>(::getpid());
    status["started_at"] = to_millis(picture.started);
    status["uptime_s"] = std::chrono::duration<double>(picture.wall - picture.started).count();
  }
  status["receiving"] = picture.receiving;
  status["stopping"] = picture.stopping;
  json::array bots;
  for (const BotPicture& bot : picture.bots) bots.push_back(bot_json(bot, picture));
  status["bots"] = std::move(bots);
  return status;
}

}  // namespace tgkeep::admin
