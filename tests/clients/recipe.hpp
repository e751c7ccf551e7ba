#pragma once
// The recipes of examples/receivers, and how the test runs them: with its own bot, and faults in front.

#include <cstdint>
#include <string>

#include "clients/receiver.hpp"

namespace tgkeep::test {

/// What the test tells a receiver, besides its recipe.
class Orders {
 public:
  Orders() = default;
  std::uint16_t port = 0;
  std::string secret;
  std::string plan;  ///< answers to first attempts, separated by commas
  std::uint64_t plan_seed = 0;
  std::int64_t slow_update = 0;
  std::int64_t slow_millis = 0;
  std::string api_root;
  std::string bot_token;
};

Command node_recipe(const std::string& file, const Orders& orders);
Command flask_recipe(const Orders& orders);
Command python_http_recipe(const Orders& orders);

}  // namespace tgkeep::test
