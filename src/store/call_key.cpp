#include "store/call_key.hpp"

#include <boost/json.hpp>
#include <string>

namespace tgkeep::store {

std::optional<OrderingKey> call_key(BotId bot, std::string_view params) {
  boost::system::error_code failure;
  const boost::json::value value =
      boost::json::parse(boost::json::string_view(params.data(), params.size()), failure);
  if (failure || !value.is_object()) return std::nullopt;
  const boost::json::value* chat = value.get_object().if_contains("chat_id");
  if (chat == nullptr) return std::nullopt;
  std::string text = "chat:";
  if (const auto* name = chat->if_string()) {
    text.append(name->data(), name->size());
  } else if (const auto* id = chat->if_int64()) {
    text += std::to_string(*id);
  } else if (const auto* big = chat->if_uint64()) {
    text += std::to_string(*big);
  } else {
    return std::nullopt;
  }
  return OrderingKey(bot, std::move(text));
}

}  // namespace tgkeep::store
