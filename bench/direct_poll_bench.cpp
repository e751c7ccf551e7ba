// bench_direct_poll API_ROOT loop|pool WARM SECONDS: a pipeline without a store that polls a canned server,
// in order by chat, with a consumer that does nothing, on the loop or on threads of its own. Prints how many
// updates a second were handled, and the CPU time of each.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tgkeep/api_client.hpp>
#include <tgkeep/direct_runner.hpp>
#include <tgkeep/handler_sink.hpp>
#include <tgkeep/poll_supplier.hpp>

#include "bench/cpu_time.hpp"
#include "loop/event.hpp"
#include "loop/real_clock.hpp"

namespace {

using namespace tgkeep;

asio::awaitable<void> ignore(Context) {
  co_return;
}

asio::awaitable<void> measure(Clock& clock, Runner& runner, Duration warm, Duration length) {
  runner.start();
  co_await loop::sleep_for(clock, warm);
  const MonoTime from = clock.mono();
  const double cpu_from = bench::cpu_seconds();
  const std::int64_t done_from = runner.stats().done;
  co_await loop::sleep_for(clock, length);
  const auto done = static_cast<double>(runner.stats().done - done_from);
  const double cpu = bench::cpu_seconds() - cpu_from;
  const std::chrono::duration<double> took = clock.mono() - from;
  std::printf("{\"per_s\": %.0f, \"cpu_us\": %.2f}\n", done / took.count(), cpu * 1e6 / done);
  std::fflush(stdout);
  co_await runner.stop(std::chrono::seconds(2));
}

void complain(LogLevel level, std::string_view event, std::span<const LogField> fields) {
  if (level < LogLevel::warning) return;
  std::fprintf(stderr, "bench_direct_poll: %s", std::string(event).c_str());
  for (const LogField& field : fields) std::fprintf(stderr, " %s", field.value().c_str());
  std::fputs("\n", stderr);
}

Duration seconds(const char* text) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::atof(text)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: bench_direct_poll API_ROOT loop|pool WARM SECONDS\n", stderr);
    return 2;
  }
  asio::io_context io{1};
  loop::RealClock clock(io.get_executor());
  ApiOptions api_options("123456:AAbenchbenchbenchbenchbenchbenchbenc");
  api_options.root = argv[1];
  const auto api = make_api(io.get_executor(), api_options).value();
  const Log log(complain);
  auto supplier =
      source::make_poll_supplier(clock, *api, source::LongPollOptions(bot_of(api_options).value()), log);
  sink::HandlerPool pool;
  const auto sink = std::string(argv[2]) == "loop"
                        ? sink::make_loop_sink(ignore)
                        : sink::make_consumer_sink(io.get_executor(), pool, ignore);
  const auto runner = make_direct_runner(io.get_executor(), clock, supplier, *sink, DirectOptions(), log);
  bool over = false;
  auto on_end = [&over](const std::exception_ptr& failure) {
    if (failure) std::rethrow_exception(failure);
    over = true;
  };
  asio::co_spawn(io, measure(clock, *runner, seconds(argv[3]), seconds(argv[4])), on_end);
  while (!over && io.run_one() > 0) {
  }
}
