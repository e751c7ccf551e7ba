// bench_push FOLDER URL WARM SECONDS: pushes the pending updates of a store (made by bench_backlog) to a
// receiver. Prints how many a second were done, that is answered 2xx and settled durably.

#include <boost/asio/redirect_error.hpp>
#include <cstdio>
#include <cstdlib>

#include "bench/house.hpp"
#include "http/client.hpp"
#include "loop/event.hpp"
#include "sink/push_sink.hpp"

namespace {

using namespace tgkeep;

asio::awaitable<void> push(bench::House& house, std::string url, Duration warm, Duration length) {
  http::Client client(house.io.get_executor());
  const sink::PushOptions options(std::move(url));
  auto sink = sink::make_push_sink(house.clock, client, options, house.log);
  RunnerOptions runner_options;
  runner_options.limit = options.concurrency;
  auto runner = make_runner(house.io.get_executor(), house.clock, *house.store, Queue::inbox, *sink,
                            runner_options, house.log);
  runner->start();
  co_await loop::sleep_for(house.clock, warm);
  const MonoTime from = house.clock.mono();
  const auto done_from = runner->stats().done;
  co_await loop::sleep_for(house.clock, length);
  const auto done = runner->stats().done - done_from;
  const double took = std::chrono::duration<double>(house.clock.mono() - from).count();
  std::printf("{\"per_s\": %.0f}\n", static_cast<double>(done) / took);
  std::fflush(stdout);
  co_await runner->stop(std::chrono::seconds(2));
}

Duration seconds(const char* text) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::atof(text)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: bench_push FOLDER URL WARM SECONDS\n", stderr);
    return 2;
  }
  bench::House house(argv[1]);
  house.run(push(house, argv[2], seconds(argv[3]), seconds(argv[4])));
  return 0;
}
