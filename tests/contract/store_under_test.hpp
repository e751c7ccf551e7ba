#pragma once
// A store of either kind on a loop of its own, with short words for what every contract test does.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loop/virtual_clock.hpp"
#include "store/memory/memory_store.hpp"
#include "support/run.hpp"

namespace tgkeep::store {

inline Update make_update(std::int64_t id, std::vector<std::string> keys = {"chat:1"}, std::int64_t bot = 7) {
  Update update;
  update.bot = BotId(bot);
  update.id = UpdateId(id);
  update.kind = "message";
  for (auto& key : keys) update.keys.emplace_back(BotId(bot), std::move(key));
  update.received = from_millis(1'767'225'600'000 + id);
  update.raw = R"({"update_id":)" + std::to_string(id) + R"(,"message":{"text":"hello"}})";
  return update;
}

inline KeyHash hash_of(const std::string& key, std::int64_t bot = 7) {
  return OrderingKey(BotId(bot), key).hash();
}

}  // namespace tgkeep::store
