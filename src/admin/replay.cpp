#include "admin/replay.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "admin/picture.hpp"
#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

ReplayJob* job_of(Office& office, BotId bot) {
  const auto found = office.replays.find(bot);
  return found == office.replays.end() ? nullptr : found->second.get();
}

// The job stays alive with the coroutine, whatever takes its place.
asio::awaitable<void> run_job(std::shared_ptr<ReplayJob> job) {
  co_await job->run();
}

http::ServerReply started(std::int64_t matched, const json::value& job) {
  json::object answer;
  answer["matched"] = matched;
  answer["job"] = job;
  return json_reply(answer);
}

}  // namespace

asio::awaitable<http::ServerReply> start_replay(Office& office, Inquiry inquiry) {
  ReplayPlan plan = read_plan(inquiry.params);
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (browser_with(office.premises, inquiry.bot) == nullptr) co_return not_searchable();
  const bool dry_run = plan.dry_run;
  auto job = std::make_shared<ReplayJob>(office.premises, inquiry.bot, std::move(plan));
  const Result<std::int64_t> matched = co_await job->count();
  if (matched.has_error()) co_return refuse(matched.error());
  if (dry_run) co_return started(*matched, nullptr);
  const ReplayJob* const before = job_of(office, inquiry.bot);
  if (before != nullptr && before->running()) {
    co_return refuse(409, "replay_running",
                     "a replay of this bot is running; wait until it has ended, or cancel it");
  }
  if (office.closing) co_return refuse(409, "misuse", "the process is stopping");
  office.replays[inquiry.bot] = job;
  job->begin();
  office.tasks.spawn("replay", run_job(job));
  co_return started(*matched, job->shown());
}

asio::awaitable<http::ServerReply> cancel_replay(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  ReplayJob* const job = job_of(office, inquiry.bot);
  if (job == nullptr || !job->running()) {
    co_return refuse(409, "misuse", "no replay of this bot is running; there is nothing to cancel");
  }
  job->cancel();
  co_return json_reply(job->shown());
}

asio::awaitable<http::ServerReply> show_replay(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  const ReplayJob* const job = job_of(office, inquiry.bot);
  if (job == nullptr) co_return json_reply(nullptr);
  co_return json_reply(job->shown());
}

}  // namespace tgkeep::admin
