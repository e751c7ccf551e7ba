#include "app/serve.hpp"

#include "app/built_in_handlers.hpp"
#include "app/watchdog.hpp"

namespace tgkeep::app {

namespace {
constexpr Duration kGrace = std::chrono::seconds(2);
}

int serve(Config config, std::string token) {
  GatewayOptions& options = config.gateway;
  options.token = std::move(token);
  options.log = stderr_log(config.log_level, config.log_format);

  Watchdog watchdog;
  options.on_stopping = [&watchdog, patience = options.drain + kGrace] {
    watchdog.arm(patience, static_cast<int>(ExitCode::cut_off));
  };
  Handler handler = config.handler == BuiltIn::echo ? echo_handler() : log_handler(options.log);
  return Gateway(options, std::move(handler)).run();
}

}  // namespace tgkeep::app
