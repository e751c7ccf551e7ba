// bench_webhook FOLDER: Telegram's webhook at /webhook, stored before it is answered, with handlers that take
// 60 s, so that all places are taken at once and everything else waits in the store. Prints its port; ends
// when its input does.

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <cstdio>
#include <tgkeep/handler_sink.hpp>

#include "bench/house.hpp"
#include "loop/task_group.hpp"
#include "source/webhook.hpp"

namespace {

using namespace tgkeep;

/// The webhook of somebody who calls setWebhook himself asks the API for nothing that matters here.
class NoApi final : public Api {
 public:
  asio::awaitable<ApiResult> call(ApiRequest) override {
    co_return ApiError(ApiError::Kind::not_sent, "there is no Telegram in this benchmark");
  }
};

asio::awaitable<Outcome> take_long(Context) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer minute(executor, std::chrono::seconds(60));
  co_await minute.async_wait(asio::use_awaitable);
  co_return Outcome::done();
}

asio::awaitable<void> receive(source::Webhook& webhook) {
  const Result<void> ended = co_await webhook.run();
  if (ended.has_error()) std::fprintf(stderr, "bench_webhook: %s\n", ended.error().text().c_str());
}

asio::awaitable<void> serve(bench::House& house) {
  const auto loop = house.io.get_executor();
  NoApi api;
  source::WebhookOptions options(bench::kBot);
  options.path = "/webhook";
  auto webhook = source::make_webhook(house.clock, api, *house.store, options, house.log);

  sink::HandlerPool pool;
  auto handlers = sink::make_handler_sink(loop, pool, take_long);
  auto runner =
      make_runner(loop, house.clock, *house.store, Queue::inbox, *handlers, RunnerOptions(), house.log);
  runner->start();
  loop::TaskGroup receiving(loop, house.log);
  receiving.spawn("webhook", receive(*webhook));

  http::ServerOptions server_options;
  server_options.check_head = [&webhook](const http::ServerRequest& head) { return webhook->check(head); };
  http::ServerHandler answer = [&webhook](http::ServerRequest request) {
    return webhook->receive(std::move(request));
  };
  auto server = http::listen(loop, server_options, answer, house.log).value();
  std::printf("%d\n", static_cast<int>(server->port()));
  std::fflush(stdout);

  co_await house.input_end();
  co_await server->stop(std::chrono::seconds(1));
  receiving.cancel();
  co_await receiving.join();
  co_await runner->stop(Duration(0));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_webhook FOLDER\n", stderr);
    return 2;
  }
  bench::House house(argv[1]);
  house.run(serve(house));
  return 0;
}
