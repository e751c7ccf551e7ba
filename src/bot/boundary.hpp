#pragma once
// An error boundary: a line of its own whose errors go to a handler.

#include <tgkeep/middleware.hpp>

#include "bot/line.hpp"

namespace tgkeep::bot {

/// `name` is what errors about its use of `next` call it.
Middleware make_boundary(std::string name, BoundaryHandler handler, Line inner);

}  // namespace tgkeep::bot
