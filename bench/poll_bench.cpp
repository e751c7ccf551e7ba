// bench_poll API_ROOT FOLDER|memory WARM SECONDS [history]: a Gateway with a handler that does nothing,
// polling a canned server. Prints how many updates a second were done, that is settled durably, and the CPU
// time of each. With `history` what is done is kept as by default, else it is deleted at once.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tgkeep/gateway.hpp>
#include <thread>

#include "bench/cpu_time.hpp"

namespace {

using Seconds = std::chrono::duration<double>;

tgkeep::asio::awaitable<tgkeep::Outcome> ignore(tgkeep::Context) {
  co_return tgkeep::Outcome::done();
}

void measure(tgkeep::Gateway& gateway, Seconds warm, Seconds length) {
  std::this_thread::sleep_for(warm);
  const auto from = std::chrono::steady_clock::now();
  const double cpu_from = bench::cpu_seconds();
  const auto done_from = gateway.stats().inbox.done;
  std::this_thread::sleep_for(length);
  const auto done = gateway.stats().inbox.done - done_from;
  const double cpu = bench::cpu_seconds() - cpu_from;
  const Seconds took = std::chrono::steady_clock::now() - from;
  std::printf("{\"per_s\": %.0f, \"cpu_us\": %.2f}\n", static_cast<double>(done) / took.count(),
              cpu * 1e6 / static_cast<double>(done));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const bool history = argc == 6 && std::string(argv[5]) == "history";
  if (argc != 5 && !history) {
    std::fputs("usage: bench_poll API_ROOT FOLDER|memory WARM SECONDS [history]\n", stderr);
    return 2;
  }
  tgkeep::GatewayOptions options("123456:AAbenchbenchbenchbenchbenchbenchbenc");
  options.api_root = argv[1];
  options.in_memory = std::string(argv[2]) == "memory";
  options.folder = argv[2];
  if (!history) options.history = std::chrono::hours(0);
  options.drain = std::chrono::seconds(2);
  options.log = tgkeep::stderr_log(tgkeep::LogLevel::warning);
  tgkeep::Gateway gateway(options, ignore);
  const Seconds warm(std::atof(argv[3]));
  const Seconds length(std::atof(argv[4]));
  std::thread watcher([&gateway, warm, length] {
    measure(gateway, warm, length);
    gateway.stop();
  });
  const int code = gateway.run();
  watcher.join();
  return code == 1 ? 1 : 0;
}
