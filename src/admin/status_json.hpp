#pragma once
// The answer to GET /api/status.

#include <boost/json/object.hpp>
#include <string_view>

#include "admin/picture.hpp"

namespace tgkeep::admin {

boost::json::object status_json(const Picture& picture, std::string_view version);

}  // namespace tgkeep::admin
