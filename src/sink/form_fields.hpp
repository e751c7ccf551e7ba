#pragma once
// application/x-www-form-urlencoded. Pure; any thread.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tgkeep::sink {

/// Names and values in their order, decoded; a broken %XX stays as it is.
std::vector<std::pair<std::string, std::string>> form_fields(std::string_view body);

}  // namespace tgkeep::sink
