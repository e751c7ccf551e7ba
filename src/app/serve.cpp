#include "app/serve.hpp"

#include <memory>

#include "app/admin_settings.hpp"
#include "app/bot_secrets.hpp"
#include "app/built_in_handlers.hpp"
#include "app/face_settings.hpp"
#include "app/log_switch.hpp"
#include "app/watchdog.hpp"
#include "words/joined.hpp"

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
    case HandlerKind::pull:
      break;
  }
  return Handler();
}

/// What the configuration says of a process and its bots, but for their secrets.
void complete(const Config& config, const Log& log, std::vector<BotOptions>& bots) {
  const std::vector<BotConfig> configs = config.all_bots();
  for (std::size_t i = 0; i < bots.size(); ++i) {
    const Log of_bot = bots[i].name.empty() ? log : log.with(LogField("name", bots[i].name));
    bots[i].handler = built_in(configs[i].handler, of_bot);
    // The switch decides: it can be turned while they run.
    bots[i].log_updates = true;
  }
}

/// Reads the configuration again and again, as a process runs that began with it.
class Reading {
 public:
  Reading(const Config& config, ProcessOptions process)
      : running_(config),
        process_(std::move(process)),
        lets_(std::make_shared<LogSwitch>(config.log_level, config.log_updates)) {
    process_.log = switched_log(lets_, config.log_format);
    process_.on_stopping = [this] {
      watchdog_.arm(running_.process.drain + kGrace, static_cast<int>(ExitCode::cut_off));
    };
    process_.reload = [this] { return again(); };
  }
  const ProcessOptions& process() const { return process_; }

 private:
  Result<Reconfiguration> again() {
    const LoadedConfig loaded = load_config(running_.sources);
    if (!loaded.problems.empty()) return wrong(loaded.problems);
    const Config& config = loaded.config;
    if (config.log_format != running_.log_format) {
      return Error(Errc::bad_config, "log.format is read only at the start: put it back, or restart tgkeep");
    }
    Result<std::vector<BotOptions>> bots = bots_to_run(config, config.sources.environment);
    if (bots.has_error()) return bots.error();
    const Result<AdminOptions> admin = admin_to_open(config, config.sources.environment);
    if (admin.has_error()) return admin.error();
    complete(config, process_.log, *bots);
    Reconfiguration next(config.process, std::move(*bots));
    next.process.admin = *admin;
    next.process.face = face_to_open(config);
    next.also = [this, config] { return take_over(config); };
    return next;
  }

  std::vector<std::string> take_over(const Config& config) {
    std::vector<std::string> changes;
    if (config.log_level != running_.log_level) {
      changes.push_back("log.level is " + std::string(to_string(config.log_level)));
    }
    if (config.log_updates != running_.log_updates) {
      changes.push_back(std::string("log.updates is ") + (config.log_updates ? "true" : "false"));
    }
    lets_->set(config.log_level, config.log_updates);
    running_ = config;
    return changes;
  }

  static Error wrong(const std::vector<std::string>& problems) {
    return Error(Errc::bad_config, words::joined(problems, "; "));
  }

  Config running_;
  ProcessOptions process_;
  std::shared_ptr<LogSwitch> lets_;
  Watchdog watchdog_;
};

}  // namespace

int serve(const Config& config, std::vector<BotOptions> bots) {
  const Result<AdminOptions> admin = admin_to_open(config, config.sources.environment);
  ProcessOptions process = config.process;
  if (admin.has_value()) process.admin = *admin;
  process.face = face_to_open(config);
  Reading reading(config, std::move(process));
  if (admin.has_error()) {
    reading.process().log.error(
        "start_failed", {{"reason", to_string(admin.error().code())}, {"error", admin.error().text()}});
    return kWrongConfiguration;
  }
  complete(config, reading.process().log, bots);
  Gateway gateway(reading.process(), std::move(bots));
  const int code = gateway.run();
  const std::optional<Error> failure = gateway.failure();
  // Starting again would not mend it.
  return failure && failure->code() == Errc::bad_config ? kWrongConfiguration : code;
}

}  // namespace tgkeep::app
