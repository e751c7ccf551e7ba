#include <simdjson.h>

#include <optional>
#include <tgkeep/sequentialize.hpp>

#include "telegram/json_parse.hpp"
#include "telegram/ordering_key.hpp"

namespace tgkeep {

namespace {

std::optional<std::string> acting_user(const Update& update) {
  const telegram::ParsedJson parsed(update.raw);
  simdjson::dom::element content;
  if (parsed.root()[update.kind].get(content) != simdjson::SUCCESS) return std::nullopt;
  return telegram::user_key(content);
}

}  // namespace

std::vector<std::string> chat_and_user(const Update& update) {
  std::vector<std::string> keys;
  for (const OrderingKey& key : update.keys) keys.push_back(key.text());
  if (auto user = acting_user(update)) keys.push_back(std::move(*user));
  return keys;
}

}  // namespace tgkeep
