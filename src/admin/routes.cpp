#include "admin/routes.hpp"

#include <algorithm>
#include <span>

#include "admin/changing.hpp"
#include "admin/events.hpp"
#include "admin/health.hpp"
#include "admin/metrics.hpp"
#include "admin/reading.hpp"
#include "admin/replay.hpp"

namespace tgkeep::admin {

namespace {

std::span<const Route> all_routes() {
  static const std::vector<Route> routes{
      Route("GET", "/api/status", &show_status),
      Route("GET", "/api/bots/BOT/items", &show_items),
      Route("GET", "/api/bots/BOT/items/QUEUE/SEQ", &show_item),
      Route("GET", "/api/bots/BOT/trace/UPDATE_ID", &show_trace),
      Route("GET", "/api/bots/BOT/lanes", &show_lanes),
      Route("GET", "/api/bots/BOT/audit", &show_audit),
      Route("GET", "/api/bots/BOT/replay", &show_replay),
      Route("GET", "/api/events", &show_events),
      Route("GET", "/metrics", &show_metrics),
      Route("GET", "/healthz", &show_health),
      Route("GET", "/readyz", &show_readiness),
      Route("POST", "/api/bots/BOT/pause", &pause_deliveries),
      Route("POST", "/api/bots/BOT/resume", &resume_deliveries),
      Route("POST", "/api/bots/BOT/retry", &retry_items),
      Route("POST", "/api/bots/BOT/drop", &drop_items),
      Route("POST", "/api/bots/BOT/replay", &start_replay),
      Route("POST", "/api/bots/BOT/replay/cancel", &cancel_replay),
      Route("POST", "/api/bots/BOT/erase", &erase_person),
      Route("POST", "/api/bots/BOT/backup", &back_up),
      Route("POST", "/api/drain", &drain_process),
      Route("POST", "/api/receive", &receive_again),
      Route("POST", "/api/reload", &reload_process),
      Route("POST", "/api/stop", &stop_process),
  };
  return routes;
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

bool is_place(std::string_view part) noexcept {
  return !part.empty() && part.front() >= 'A' && part.front() <= 'Z';
}

bool fits(const Route& route, const std::vector<std::string>& path) {
  const std::vector<std::string_view> parts = parts_of(route.path);
  return std::equal(parts.begin(), parts.end(), path.begin(), path.end(),
                    [](std::string_view part, const std::string& given) {
                      return part == given || (is_place(part) && !given.empty());
                    });
}

}  // namespace

std::vector<Route> routes_at(const std::vector<std::string>& path) {
  std::vector<Route> found;
  for (const Route& route : all_routes()) {
    if (fits(route, path)) found.push_back(route);
  }
  return found;
}

std::string list_of_routes() {
  std::string list;
  for (const Route& route : all_routes()) {
    list += list.empty() ? "" : ", ";
    list.append(route.method).append(" ").append(route.path);
  }
  return list;
}

std::vector<std::string> places_of(const Route& route, const std::vector<std::string>& path) {
  std::vector<std::string> places;
  const std::vector<std::string_view> parts = parts_of(route.path);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_place(parts[i])) places.push_back(path[i]);
  }
  return places;
}

}  // namespace tgkeep::admin
