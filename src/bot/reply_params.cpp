#include "bot/reply_params.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace tgkeep::bot {

namespace {

Error no_chat(std::string_view kind, std::string_view instead) {
  return Error(Errc::misuse, "reply: an update of kind " + std::string(kind) + " " + std::string(instead));
}

/// What is given as true only where the thread is a topic; replies in plain groups have a thread id too,
/// which sendMessage refuses.
void add_places(const json::object& message, json::object& params) {
  const std::string_view connection = text_in(message, "business_connection_id");
  if (!connection.empty()) params["business_connection_id"] = connection;
  const json::value* const is_topic = message.if_contains("is_topic_message");
  const auto thread = number_in(message, "message_thread_id");
  if (thread && is_topic != nullptr && is_topic->is_bool() && is_topic->get_bool()) {
    params["message_thread_id"] = *thread;
  }
  const json::object* const topic = object_in(message, "direct_messages_topic");
  if (topic == nullptr) return;
  const auto topic_id = number_in(*topic, "topic_id");
  if (topic_id) params["direct_messages_topic_id"] = *topic_id;
}

}  // namespace

Result<std::string> reply_params(std::string_view kind, const json::object& content, std::string_view text) {
  const auto chat = chat_id_of(kind, content);
  if (!chat) return no_chat(kind, "has no chat to answer in: leave() a call with a chat_id of your own");
  const json::object* const message = message_near(kind, content);
  const json::object& place = message != nullptr ? *message : content;
  if (place.contains("guest_query_id")) {
    return no_chat(kind, "comes from a chat the bot is only a guest of: leave() an answerGuestQuery");
  }
  json::object params;
  params["chat_id"] = *chat;
  params["text"] = text;
  add_places(place, params);
  return json::serialize(params);
}

}  // namespace tgkeep::bot
