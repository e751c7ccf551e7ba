#include "emulator/traffic.hpp"

#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "emulator/samples.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep::emulator {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 4> chat_types = {"private", "supergroup", "channel", "group"};
// Of a hundred chats.
constexpr std::array<std::size_t, 4> chat_shares = {60, 25, 10, 5};
constexpr std::size_t burst_odds = 100;
constexpr std::size_t shortest_burst = 4;
constexpr std::size_t longest_burst = 20;

bool takes_part(std::string_view kind) {
  const auto known = telegram::find_update_kind(kind);
  return known && known->rule == telegram::KeyRule::chat && !known->answer_expires;
}

/// The sample's chat, if it is a chat of the bot itself.
const json::object* own_chat(const json::object& content) {
  if (content.contains("business_connection_id") || content.contains("guest_query_id")) return nullptr;
  const json::value* chat = content.if_contains("chat");
  return chat == nullptr ? nullptr : chat->if_object();
}

/// Replaces every `"id": from`: the chat itself wherever it is named, and in private chats the user.
void retarget(json::value& value, std::int64_t from, std::int64_t to) {
  if (json::array* array = value.if_array()) {
    for (json::value& element : *array) retarget(element, from, to);
  } else if (json::object* object = value.if_object()) {
    for (auto& member : *object) {
      const bool same =
          member.key() == "id" && member.value().is_int64() && member.value().get_int64() == from;
      if (same) member.value() = to;
      if (!same) retarget(member.value(), from, to);
    }
  }
}

}  // namespace

struct Traffic::Template {
  std::string_view kind;
  std::int64_t chat;
  json::value content;
};

Traffic::Traffic(std::uint64_t seed, std::size_t chats) : random_(seed), chats_(chats == 0 ? 1 : chats) {
  for (const std::string_view type : chat_types)
    families_.push_back(Family{type == "private", type == "group", {}});
  for (const Sample& sample : samples()) {
    const std::string_view kind = sample.name.substr(0, sample.name.find("__"));
    if (!takes_part(kind)) continue;
    json::value update = json::parse(json::string_view(sample.json.data(), sample.json.size()));
    json::value& content = update.as_object().at(json::string_view(kind.data(), kind.size()));
    const json::object* chat = own_chat(content.as_object());
    if (chat == nullptr) continue;
    const json::string& type = chat->at("type").as_string();
    for (std::size_t i = 0; i < chat_types.size(); ++i) {
      if (chat_types[i] != std::string_view(type.data(), type.size())) continue;
      const std::int64_t id = chat->at("id").as_int64();
      families_[i].templates.push_back(Template{kind, id, std::move(content)});
      break;
    }
  }
  for (std::size_t chat = 0; chat < chats_; ++chat) {
    std::size_t family = 0;
    for (std::size_t share = chat % 100; share >= chat_shares[family]; ++family) share -= chat_shares[family];
    family_of_.push_back(families_[family].templates.empty() ? 0 : family);
  }
}

Traffic::~Traffic() = default;

TrafficUpdate Traffic::next() {
  if (burst_left_ == 0) {
    burst_chat_ = choose(chats_);
    const bool burst = choose(burst_odds) == 0;
    burst_left_ = burst ? shortest_burst + choose(longest_burst - shortest_burst + 1) : 1;
  }
  --burst_left_;
  const Family& family = families_[family_of_[burst_chat_]];
  const Template& chosen = family.templates[choose(family.templates.size())];
  const std::int64_t chat = chat_id(family, burst_chat_);
  json::value content = chosen.content;
  retarget(content, chosen.chat, chat);
  return TrafficUpdate(chosen.kind, chat, json::serialize(content));
}

std::int64_t Traffic::chat_id(const Family& family, std::size_t chat) const {
  constexpr std::int64_t first_user = 5'000'000'000;
  constexpr std::int64_t first_channel = -1'002'000'000'000;
  constexpr std::int64_t first_group = -4'000'000'000;
  const auto number = static_cast<std::int64_t>(chat);
  if (family.is_private) return first_user + number;
  if (family.is_group) return first_group - number;
  return first_channel - number;
}

}  // namespace tgkeep::emulator
