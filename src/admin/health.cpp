#include "admin/health.hpp"

#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace {

std::string seconds(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count()) + " s";
}

std::string name_of(const BotFacts& facts) {
  return facts.name.empty() ? "bot " + std::to_string(facts.id.value()) : "bot " + facts.name;
}

// A webhook that nobody writes to is as ready as ever; a bot that polls hears from Telegram all the time.
std::string against_source(const BotPicture& bot, Duration ready_age, MonoTime now) {
  if (!bot.source) return {};
  const SourceStats& stats = *bot.source;
  const std::string problem = stats.problem.empty() ? "" : ": " + as_text(stats.problem);
  if (!bot.facts.source.starts_with("poll"))
    return stats.healthy ? "" : "its webhook is not healthy" + problem;
  if (stats.first_since && now - *stats.first_since <= ready_age) return {};
  if (!stats.last_success) return "no poll has succeeded yet" + problem;
  const Duration age = now - *stats.last_success;
  if (age <= ready_age) return {};
  return "its last good poll was " + seconds(age) + " ago, more than " + seconds(ready_age) + problem;
}

void one_line(std::string& text) {
  for (char& letter : text) {
    if (letter == '\n' || letter == '\r') letter = ' ';
  }
}

}  // namespace

std::vector<std::string> against_readiness(const Picture& picture, Duration ready_age) {
  std::vector<std::string> reasons;
  if (!picture.live) reasons.emplace_back("no process is running");
  if (picture.stopping) reasons.emplace_back("the process is stopping");
  if (picture.live && !picture.receiving) reasons.emplace_back("it is drained: it receives no updates");
  for (const BotPicture& bot : picture.bots) {
    const std::string name = name_of(bot.facts) + ": ";
    if (!bot.counts) reasons.push_back(name + "its store failed: " + as_text(bot.trouble.text()));
    if (bot.store.full) reasons.push_back(name + "its store is full: it refuses updates");
    const std::string source = against_source(bot, ready_age, picture.mono);
    if (picture.receiving && !source.empty()) reasons.push_back(name + source);
  }
  for (std::string& reason : reasons) one_line(reason);
  return reasons;
}

asio::awaitable<http::ServerReply> show_health(Office&, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  co_return http::ServerReply(200, "ok\n", "text/plain; charset=utf-8");
}

asio::awaitable<http::ServerReply> show_readiness(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  const Picture picture = co_await take_picture(office.premises);
  std::string text;
  for (const std::string& reason : against_readiness(picture, office.options.ready_age))
    text += reason + "\n";
  const int status = text.empty() ? 200 : 503;
  if (text.empty()) text = "ready\n";
  co_return http::ServerReply(status, std::move(text), "text/plain; charset=utf-8");
}

}  // namespace tgkeep::admin
