#include "demo/pipeline.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <csignal>
#include <tgkeep/gateway.hpp>

#include "prove/child_bot.hpp"
#include "prove/echo_text.hpp"
#include "prove/handler_log.hpp"
#include "prove/witness.hpp"

namespace tgkeep::demo {

namespace json = boost::json;
using prove::echo_text;
using prove::end_line;
using prove::start_line;
using prove::Witness;

namespace {

constexpr std::uint64_t shortest = 5'000;
constexpr std::uint64_t longest = 50'000;
constexpr std::size_t push_concurrency = 200;

/// Seeded by the update, so that a repeat takes as long as the first time.
std::chrono::microseconds working_time(std::uint64_t seed, UpdateId update) {
  const std::uint64_t hash = stable_hash(std::to_string(update.value()), seed);
  return std::chrono::microseconds(shortest + hash % (longest - shortest + 1));
}

Call answer_to(const Item& item) {
  const json::value update = json::parse(json::string_view(item.body.data(), item.body.size()));
  const json::value& content = update.at(json::string_view(item.kind.data(), item.kind.size()));
  json::object params;
  params["chat_id"] = content.at("chat").at("id").as_int64();
  params["text"] = echo_text(item.update_id);
  return Call("sendMessage", json::serialize(params));
}

asio::awaitable<Outcome> echo(std::shared_ptr<const Witness> witness, std::uint64_t seed, Context context) {
  const Item& item = context.item();
  const std::string key = item.keys.empty() ? "none" : item.keys.front();
  witness->write(start_line(item.update_id, key, item.attempt, context.repeated()));

  const asio::any_io_executor strand = co_await asio::this_coro::executor;
  asio::steady_timer working(strand);
  working.expires_after(working_time(seed, item.update_id));
  co_await working.async_wait(asio::use_awaitable);

  Outcome outcome = Outcome::done();
  outcome.calls.push_back(answer_to(item));
  witness->write(end_line(item.update_id, key));
  co_return outcome;
}

GatewayOptions gateway_options(const DemoPipelineOptions& options) {
  GatewayOptions gateway = prove::child_bot_options(options.api_root, options.folder);
  gateway.in_memory = options.forgetful;
  if (options.webhook_port != 0) prove::receive_at(gateway, options.webhook_port, "the-demo-s-own-secret");
  if (!options.push_url.empty()) {
    PushSettings push;
    push.url = options.push_url;
    push.concurrency = push_concurrency;
    gateway.push = push;
  }
  return gateway;
}

}  // namespace

int run_demo_pipeline(const DemoPipelineOptions& options) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  GatewayOptions gateway = gateway_options(options);
  const Log log = gateway.log;
  if (gateway.push) return Gateway(std::move(gateway), Handler()).run();
  const auto witness = Witness::open(options.handler_log);
  if (!witness) {
    log.error("start_failed", {{"error", witness.error().text()}});
    return static_cast<int>(ExitCode::failed);
  }
  Handler handler = [witness = *witness, seed = options.seed](Context context) {
    return echo(witness, seed, std::move(context));
  };
  return Gateway(std::move(gateway), std::move(handler)).run();
}

}  // namespace tgkeep::demo
