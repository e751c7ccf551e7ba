#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>
#include <span>
#include <string_view>
#include <tgkeep/gateway.hpp>

#include "app/line_format.hpp"
#include "app/log_switch.hpp"

namespace tgkeep {

namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

}  // namespace

Log stderr_log(LogLevel threshold, LogFormat format) {
  return app::switched_log(std::make_shared<const app::LogSwitch>(threshold, true), format);
}

Log app::switched_log(std::shared_ptr<const LogSwitch> lets, LogFormat format) {
  const bool json = format == LogFormat::json;
  auto logger = std::make_shared<spdlog::logger>("tgkeep", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_level(spdlog::level::debug);
  logger->set_pattern(
      json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})" : "%Y-%m-%dT%H:%M:%S.%eZ %l %v",
      spdlog::pattern_time_type::utc);
  return Log([logger, json, lets = std::move(lets)](LogLevel level, std::string_view event,
                                                    std::span<const LogField> fields) {
    if (!lets->lets_through(level, event)) return;
    const std::string line = json ? app::json_line(event, fields) : app::text_line(event, fields);
    logger->log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
  });
}

}  // namespace tgkeep
