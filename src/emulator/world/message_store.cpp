#include "emulator/world/message_store.hpp"

#include <boost/json/array.hpp>
#include <limits>

#include "emulator/world/directory.hpp"

namespace tgkeep::emulator {

std::int64_t MessageStore::owner(std::int64_t bot, std::int64_t chat) noexcept {
  return is_channel_id(chat) ? 0 : bot;
}

MessageStore::Counter MessageStore::counter(std::int64_t bot, std::int64_t chat) noexcept {
  return is_channel_id(chat) ? Counter(0, chat) : Counter(bot, 0);
}

std::int64_t MessageStore::last_id(std::int64_t bot, std::int64_t chat) const noexcept {
  const auto found = last_.find(counter(bot, chat));
  return found == last_.end() ? 0 : found->second;
}

void MessageStore::put(std::int64_t bot, std::int64_t chat, json::object message) {
  const std::int64_t id = number_in(message, "message_id");
  const Place place(owner(bot, chat), chat, id);
  if (messages_.insert_or_assign(place, std::move(message)).second) order_.push_back(place);
  std::int64_t& last = last_[counter(bot, chat)];
  if (last < id) last = id;
  while (order_.size() > most_) {
    messages_.erase(order_.front());
    order_.pop_front();
  }
}

json::object* MessageStore::find(std::int64_t bot, std::int64_t chat, std::int64_t id) {
  const auto found = messages_.find(Place(owner(bot, chat), chat, id));
  return found == messages_.end() ? nullptr : &found->second;
}

bool MessageStore::erase(std::int64_t bot, std::int64_t chat, std::int64_t id) {
  return messages_.erase(Place(owner(bot, chat), chat, id)) > 0;
}

json::array MessageStore::of_chat(std::int64_t bot, std::int64_t chat) const {
  json::array all;
  const std::int64_t own = owner(bot, chat);
  auto message = messages_.lower_bound(Place(own, chat, std::numeric_limits<std::int64_t>::min()));
  for (; message != messages_.end(); ++message) {
    if (std::get<0>(message->first) != own || std::get<1>(message->first) != chat) break;
    all.push_back(message->second);
  }
  return all;
}

json::object MessageStore::save() const {
  json::array messages;
  for (const Place& place : order_) {
    const auto found = messages_.find(place);
    if (found == messages_.end()) continue;
    json::object saved;
    saved["owner"] = std::get<0>(place);
    saved["chat"] = std::get<1>(place);
    saved["message"] = found->second;
    messages.push_back(std::move(saved));
  }
  json::array counters;
  for (const auto& [counter, last] : last_) {
    json::object saved;
    saved["bot"] = counter.first;
    saved["chat"] = counter.second;
    saved["last"] = last;
    counters.push_back(std::move(saved));
  }
  json::object saved;
  saved["messages"] = std::move(messages);
  saved["counters"] = std::move(counters);
  return saved;
}

void MessageStore::load(const json::object& saved) {
  messages_.clear();
  order_.clear();
  last_.clear();
  for (const json::value& entry : *array_in(saved, "messages")) {
    const json::object& from = entry.as_object();
    put(number_in(from, "owner"), number_in(from, "chat"), *object_in(from, "message"));
  }
  for (const json::value& entry : *array_in(saved, "counters")) {
    const json::object& from = entry.as_object();
    last_[Counter(number_in(from, "bot"), number_in(from, "chat"))] = number_in(from, "last");
  }
}

}  // namespace tgkeep::emulator
