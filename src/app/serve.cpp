#include "app/serve.hpp"

#include "app/built_in_handlers.hpp"
#include "app/watchdog.hpp"

namespace tgkeep::app {

namespace {

constexpr Duration kGrace = std::chrono::seconds(2);

Handler built_in(HandlerKind kind, const Log& log) {
  switch (kind) {
    case HandlerKind::echo:
      return echo_handler();
    case HandlerKind::log:
      return log_handler(log);
    case HandlerKind::push:
      break;
  }
  return Handler();
}

}  // namespace

int serve(const Config& config, std::vector<BotOptions> bots) {
  ProcessOptions process = config.process;
  process.log = stderr_log(config.log_level, config.log_format);
  const std::vector<BotConfig> configs = config.all_bots();
  for (std::size_t i = 0; i < bots.size(); ++i) {
    const Log log = bots[i].name.empty() ? process.log : process.log.with(LogField("name", bots[i].name));
    bots[i].handler = built_in(configs[i].handler, log);
  }

  Watchdog watchdog;
  process.on_stopping = [&watchdog, patience = process.drain + kGrace] {
    watchdog.arm(patience, static_cast<int>(ExitCode::cut_off));
  };
  return Gateway(process, std::move(bots)).run();
}

}  // namespace tgkeep::app
