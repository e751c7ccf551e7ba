#include "app/emulate.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <exception>
#include <memory>

#include "app/stop_signals.hpp"
#include "emulator/emulator.hpp"

namespace tgkeep::app {

namespace {

namespace asio = boost::asio;

constexpr Duration kDrain = std::chrono::seconds(1);
constexpr int kWrong = 2;

emulator::EmulatorOptions to_emulator(const EmulateOptions& options) {
  emulator::EmulatorOptions made;
  made.tokens = options.tokens;
  made.seed = options.seed;
  made.pace =
      options.clock == "real" ? emulator::SteerableClock::Pace::real : emulator::SteerableClock::Pace::still;
  made.server.address = options.address;
  made.server.port = options.port;
  made.server.speed = options.speed;
  made.server.strict = !options.lenient;
  // A clock that stands still would never let an absorbed wait end.
  made.server.flood_limits = !options.no_limits && made.pace == emulator::SteerableClock::Pace::real;
  made.server.local_folder = options.local_folder;
  made.server.cloud_errors = options.cloud;
  if (options.cloud) made.server.webhook_rules = telegram::WebhookRules::cloud;
  if (!options.certificate.empty()) made.server.tls.emplace(options.certificate, options.key);
  return made;
}

}  // namespace

int emulate(const EmulateOptions& options) {
  if (options.certificate.empty() != options.key.empty()) {
    std::fputs("tgkeep: --certificate and --key go together\n", stderr);
    return kWrong;
  }
  asio::io_context io(1);
  auto started = emulator::Emulator::start(io.get_executor(), to_emulator(options), Log());
  if (!started) {
    std::fprintf(stderr, "tgkeep: %s\n", started.error().text().c_str());
    return kWrong;
  }
  const std::unique_ptr<emulator::Emulator> running = *std::move(started);
  // Whoever started it waits for this line.
  std::printf("Listening on %s\n", running->server().root().c_str());
  std::fflush(stdout);
  std::unique_ptr<StopSignals> signals;
  const auto stopped = [&](const std::exception_ptr&) { signals.reset(); };
  signals = std::make_unique<StopSignals>(
      io, [&](std::string_view) { asio::co_spawn(io, running->stop(kDrain), stopped); });
  io.run();
  return 0;
}

}  // namespace tgkeep::app
