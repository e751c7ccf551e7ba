#pragma once
// The table of what can be asked.

#include <string>
#include <string_view>
#include <vector>

#include "admin/office.hpp"
#include "admin/target.hpp"

namespace tgkeep::admin {

class Route {
 public:
  Route(std::string_view method, std::string_view path, Work work) : method(method), path(path), work(work) {}
  std::string_view method;
  std::string_view path;  ///< parts in capitals stand for anything
  Work work;
};

/// What fits a path, whatever its method.
std::vector<Route> routes_at(const std::vector<std::string>& path);
/// `GET /api/status, …`: every route there is, for people.
std::string list_of_routes();
/// The parts of `path` that stand where its route has capitals, in their order.
std::vector<std::string> places_of(const Route& route, const std::vector<std::string>& path);

}  // namespace tgkeep::admin
