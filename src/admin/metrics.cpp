#include "admin/metrics.hpp"

#include "admin/exposition.hpp"
#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace {

constexpr std::string_view kTextFormat = "text/plain; version=0.0.4; charset=utf-8";

double number(std::int64_t value) {
  return static_cast<double>(value);
}
double number(std::uint64_t value) {
  return static_cast<double>(value);
}
double number(bool value) {
  return value ? 1 : 0;
}

Labels with(Labels labels, std::string name, std::string value) {
  labels.emplace_back(std::move(name), std::move(value));
  return labels;
}

void add_process(Exposition& out, const Picture& picture, std::string_view version) {
  out.gauge("tgkeep_build_info", "Version of tgkeep, as a label.", {{"version", std::string(version)}}, 1);
  out.gauge("process_start_time_seconds", "Start time of the process since the Unix epoch in seconds.", {},
            number(to_millis(picture.started)) / 1000);
  out.gauge("tgkeep_receiving", "1 while updates are received, 0 while drained.", {},
            number(picture.receiving));
  out.gauge("tgkeep_stopping", "1 while the process is stopping.", {}, number(picture.stopping));
}

void add_source(Exposition& out, const BotPicture& bot, const Labels& labels, MonoTime now) {
  if (!bot.source) return;
  const SourceStats& stats = *bot.source;
  out.counter("tgkeep_source_received_total", "Updates read from Telegram, duplicates included.", labels,
              number(stats.received));
  out.counter("tgkeep_source_stored_total", "Updates read from Telegram that were new and stored.", labels,
              number(stats.stored));
  out.counter("tgkeep_source_duplicates_total", "Updates read from Telegram that had been stored before.",
              labels, number(stats.duplicates));
  out.counter("tgkeep_source_unreadable_total", "Updates that could not be read and became dead letters.",
              labels, number(stats.unreadable));
  out.counter("tgkeep_source_failures_total", "Exchanges with Telegram that failed or were refused.", labels,
              number(stats.failures));
  out.gauge("tgkeep_source_healthy",
            "1 when the last exchange with Telegram succeeded, or the first is under way.", labels,
            number(stats.fine()));
  if (const auto age = age_of(stats.last_success, now)) {
    out.gauge("tgkeep_source_last_success_age_seconds", "Time since the last exchange that succeeded.",
              labels, *age);
  }
  const bool polls = bot.facts.source.starts_with("poll");
  out.histogram("tgkeep_source_exchange_seconds",
                "Polls from request to answer; webhook requests from arrival to answer.",
                with(labels, "source", polls ? "poll" : "webhook"), stats.exchanges);
  out.histogram("tgkeep_store_put_seconds", "Batches of updates, until they were durable.", labels,
                stats.puts);
}

/// `since_start`: what stands for the age of the last poll when there was none.
void add_pull(Exposition& out, const FaceStats& face, const Labels& labels, MonoTime now,
              double since_start) {
  out.gauge("tgkeep_face_own_webhook", "1 while the bot has set a webhook of its own at the face.", labels,
            number(!face.webhook.empty()));
  const PullStats& pull = face.pull;
  out.counter("tgkeep_face_polls_total", "Polls of the bot at the face.", labels, number(pull.polls));
  out.gauge("tgkeep_face_pollers", "Polls that wait at the face now.", labels,
            number(std::uint64_t{pull.pollers}));
  out.gauge("tgkeep_face_last_poll_age_seconds",
            "Time since the bot polled; since the start when it never did.", labels,
            age_of(pull.last_poll, now).value_or(since_start));
  out.counter("tgkeep_face_handed_out_total", "Updates handed out to polls, repeats included.", labels,
              number(pull.handed_out));
  out.gauge("tgkeep_face_waiting", "Updates that the bot could fetch now.", labels,
            number(std::uint64_t{pull.waiting}));
  out.gauge("tgkeep_face_unconfirmed", "Updates that the bot has fetched and not confirmed.", labels,
            number(std::uint64_t{pull.unconfirmed}));
  out.counter("tgkeep_face_bot_restarts_total", "Restarts of the bot, seen by what it asked for.", labels,
              number(pull.restarts));
}

void add_face(Exposition& out, const BotPicture& bot, const Labels& labels, MonoTime now,
              double since_start) {
  if (!bot.face) return;
  const FaceStats& face = *bot.face;
  if (face.pulls) add_pull(out, face, labels, now, since_start);
  const OutgoingStats& calls = face.outgoing;
  const auto ended = [&](const char* outcome, std::int64_t count) {
    out.counter("tgkeep_face_calls_total", "Calls of the bot at the face, by what became of them.",
                with(labels, "outcome", outcome), number(count));
  };
  ended("passed", calls.passed);
  ended("refused", calls.refused);
  ended("not_sent", calls.not_sent);
  ended("maybe_sent", calls.maybe_sent);
  ended("held_back", calls.held_back);
  ended("hung_up", calls.hung_up);
  out.counter("tgkeep_face_calls_resent_total", "Tries of calls after the first.", labels,
              number(calls.resent));
  out.gauge("tgkeep_face_calls_waiting", "Calls that wait for their turn.", labels,
            number(std::uint64_t{calls.waiting}));
  out.gauge("tgkeep_face_calls_running", "Calls that wait for Telegram's answer.", labels,
            number(std::uint64_t{calls.running}));
  out.gauge("tgkeep_face_chats_flooded", "Chats whose calls wait because Telegram said so (429).", labels,
            number(std::uint64_t{calls.flooded}));
  out.histogram("tgkeep_face_call_wait_seconds", "Calls, until they were sent first.", labels, calls.waits);
}

void add_counts(Exposition& out, const QueueCounts& counts, const Labels& labels, WallTime now) {
  out.counter("tgkeep_stored_total", "Items that ever came into the queue.", labels, number(counts.stored));
  out.counter("tgkeep_duplicates_total", "Items that came again and were not stored.", labels,
              number(counts.duplicates));
  out.counter("tgkeep_done_total", "Items that were handled; of the outbox: calls that were sent.", labels,
              number(counts.done));
  out.counter("tgkeep_in_doubt_total", "How often it was unknown whether a call had been sent.", labels,
              number(counts.in_doubt));
  const auto in_state = [&](const char* state, std::int64_t count) {
    out.gauge("tgkeep_items", "Items that are not settled, by state.", with(labels, "state", state),
              number(count));
  };
  in_state("pending", counts.pending);
  in_state("in_flight", counts.in_flight);
  in_state("retrying", counts.retrying);
  in_state("held", counts.held);
  out.gauge("tgkeep_backlog", "Items that are still to be handled: pending, in flight and retrying.", labels,
            number(counts.pending + counts.in_flight + counts.retrying));
  out.gauge("tgkeep_oldest_pending_age_seconds", "Age of the oldest item not yet settled; 0 without one.",
            labels, age_of_oldest(counts, now).value_or(0));
  for (const auto& [reason, count] : counts.dead) {
    out.gauge("tgkeep_dead_letters", "Dead letters, by reason.", with(labels, "reason", reason),
              number(count));
  }
  for (const auto& [by, count] : counts.dropped) {
    out.counter("tgkeep_dropped_total", "Items that were given up for good, by whom.", with(labels, "by", by),
                number(count));
  }
}

void add_runner(Exposition& out, const RunnerStats& stats, const Labels& labels) {
  out.counter("tgkeep_deliveries_started_total", "Deliveries begun, since the process started.", labels,
              number(stats.started));
  const auto ended = [&](const char* outcome, std::int64_t count) {
    out.counter("tgkeep_deliveries_ended_total", "Deliveries that ended, since the process started.",
                with(labels, "outcome", outcome), number(count));
  };
  ended("done", stats.done);
  ended("retried", stats.retried);
  ended("dead", stats.dead);
  out.counter("tgkeep_deliveries_timed_out_total", "Deliveries that passed their timeout.", labels,
              number(stats.timed_out));
  out.gauge("tgkeep_deliveries_running", "Deliveries running now, the stuck ones included.", labels,
            number(std::uint64_t{stats.running}));
  out.gauge("tgkeep_deliveries_stuck", "Deliveries past their timeout that have not ended.", labels,
            number(std::uint64_t{stats.stuck}));
  out.gauge("tgkeep_deliveries_stuck_pause",
            "1 while too many stuck handlers keep new deliveries from starting.", labels,
            number(stats.paused));
  out.gauge("tgkeep_deliveries_flooded", "Items that wait now because the receiver named a time (429).",
            labels, number(std::uint64_t{stats.flooded}));
  out.gauge("tgkeep_target_reachable", "0 while the target fails or can't be reached and is being probed.",
            labels, number(!stats.target_paused));
  out.histogram("tgkeep_delivery_wait_seconds", "From receipt to the first start of a delivery.", labels,
                stats.waits);
  out.histogram("tgkeep_delivery_handling_seconds", "Attempts from start to end, failed ones included.",
                labels, stats.handling);
}

void add_queue(Exposition& out, const QueueCounts* counts, const QueuePicture& queue, const Labels& labels,
               WallTime now) {
  if (counts != nullptr) add_counts(out, *counts, labels, now);
  out.gauge("tgkeep_paused", "1 while a person has stopped this queue's deliveries.", labels,
            number(queue.paused));
  if (queue.runner) add_runner(out, *queue.runner, labels);
}

void add_store(Exposition& out, const StoreStats& stats, const Labels& labels) {
  out.gauge("tgkeep_store_file_bytes", "Size of the store's file, without its WAL.", labels,
            number(stats.file_bytes));
  out.gauge("tgkeep_store_wal_bytes", "Size of the store's WAL.", labels, number(stats.wal_bytes));
  out.gauge("tgkeep_store_history_bytes", "Size of the day files with finished items.", labels,
            number(stats.history_bytes));
  if (stats.disk_free) {
    out.gauge("tgkeep_store_disk_free_bytes", "Free bytes where the store lies.", labels,
              number(*stats.disk_free));
  }
  out.gauge("tgkeep_store_reserve_bytes", "Below so many free bytes new updates are refused.", labels,
            number(stats.reserve));
  out.gauge("tgkeep_store_full", "1 when the last update was refused for lack of room.", labels,
            number(stats.full));
  out.histogram("tgkeep_store_commit_seconds", "Synced commits, waiting for the disk included.", labels,
                stats.commits);
}

}  // namespace

std::string metrics_text(const Picture& picture, std::string_view version) {
  Exposition out;
  add_process(out, picture, version);
  const double since_start = std::chrono::duration<double>(picture.wall - picture.started).count();
  for (const BotPicture& bot : picture.bots) {
    const Labels labels{{"bot", std::to_string(bot.facts.id.value())}, {"name", bot.facts.name}};
    out.gauge("tgkeep_bot_up", "0 when the bot's store can't be read.", labels,
              number(bot.counts.has_value()));
    out.gauge("tgkeep_deliveries_limit", "Deliveries at once, at most.", labels,
              number(std::uint64_t{bot.facts.limit}));
    add_source(out, bot, labels, picture.mono);
    add_face(out, bot, labels, picture.mono, since_start);
    const QueueCounts* const inbox = bot.counts ? &bot.counts->inbox : nullptr;
    const QueueCounts* const outbox = bot.counts ? &bot.counts->outbox : nullptr;
    add_queue(out, inbox, bot.inbox, with(labels, "queue", "inbox"), picture.wall);
    add_queue(out, outbox, bot.outbox, with(labels, "queue", "outbox"), picture.wall);
    add_store(out, bot.store, labels);
  }
  return out.text();
}

asio::awaitable<http::ServerReply> show_metrics(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  const Picture picture = co_await take_picture(office.premises);
  co_return http::ServerReply(200, metrics_text(picture, office.options.version), std::string(kTextFormat));
}

}  // namespace tgkeep::admin
