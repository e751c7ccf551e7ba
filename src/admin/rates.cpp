#include "admin/rates.hpp"

#include <algorithm>
#include <array>

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

double per_second(std::int64_t before, std::int64_t now, Duration between) {
  const double seconds = std::chrono::duration<double>(between).count();
  // A counter that fell began again: with a reload, say.
  if (seconds <= 0 || now <= before) return 0;
  return static_cast<double>(now - before) / seconds;
}

std::int64_t received(const BotPicture& bot) {
  return bot.source ? bot.source->received : 0;
}
std::int64_t done(const std::optional<RunnerStats>& runner) {
  return runner ? runner->done : 0;
}
std::int64_t failed(const std::optional<RunnerStats>& runner) {
  return runner ? runner->retried + runner->dead : 0;
}
LatencyHistogram handling(const BotPicture& bot) {
  return bot.inbox.runner ? bot.inbox.runner->handling : LatencyHistogram();
}
LatencyHistogram puts(const BotPicture& bot) {
  return bot.source ? bot.source->puts : LatencyHistogram();
}

}  // namespace

json::value quantile_since(const LatencyHistogram& before, const LatencyHistogram& now, double quantile) {
  std::array<std::uint64_t, LatencyHistogram::kBounds.size() + 1> counts{};
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t old = before.counts()[i];
    counts[i] = now.counts()[i] > old ? now.counts()[i] - old : 0;
    all += counts[i];
  }
  if (all == 0) return nullptr;
  const double wanted = quantile * static_cast<double>(all);
  double below = 0;
  for (std::size_t i = 0; i < LatencyHistogram::kBounds.size(); ++i) {
    const auto inside = static_cast<double>(counts[i]);
    if (inside > 0 && below + inside >= wanted) {
      const double from = i == 0 ? 0 : LatencyHistogram::kBounds[i - 1];
      return from + (LatencyHistogram::kBounds[i] - from) * std::max(0.0, wanted - below) / inside;
    }
    below += inside;
  }
  return LatencyHistogram::kBounds.back();
}

json::object rates_json(const BotPicture* before, const BotPicture& now, Duration between) {
  const BotPicture& old = before == nullptr ? now : *before;
  json::object rates;
  rates["received_per_s"] = per_second(received(old), received(now), between);
  rates["done_per_s"] = per_second(done(old.inbox.runner), done(now.inbox.runner), between);
  rates["failed_per_s"] = per_second(failed(old.inbox.runner), failed(now.inbox.runner), between);
  rates["calls_per_s"] = per_second(done(old.outbox.runner), done(now.outbox.runner), between);
  rates["handling_p50_s"] = quantile_since(handling(old), handling(now), 0.5);
  rates["handling_p99_s"] = quantile_since(handling(old), handling(now), 0.99);
  rates["put_p99_s"] = quantile_since(puts(old), puts(now), 0.99);
  return rates;
}

}  // namespace tgkeep::admin
