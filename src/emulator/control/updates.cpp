// Updates as they are: from a file, from the samples, or endless traffic.

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <string>

#include "emulator/control/desk.hpp"
#include "emulator/samples.hpp"
#include "emulator/traffic.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::int64_t most_updates = 100'000;

/// The kind of an update: its one field besides update_id.
std::string_view kind_of(const json::object& update) {
  for (const auto& member : update) {
    if (member.key() != "update_id") return {member.key().data(), member.key().size()};
  }
  return {};
}

/// The world learns who and what the update speaks of, and which messages there are.
void learn(World& world, std::int64_t bot, std::string_view kind, const json::value& content) {
  world.directory.learn(content);
  const json::object* object = content.if_object();
  if (object == nullptr) return;
  const json::object* chat = object_in(*object, "chat");
  if (chat == nullptr || !object->contains("message_id")) return;
  const std::int64_t id = number_in(*chat, "id");
  if (id > 0) world.directory.user(id).started.insert(bot);
  const bool is_message = kind.ends_with("message") || kind.ends_with("channel_post");
  if (is_message) world.messages.put(bot, id, *object);
}

Checked<std::int64_t> add_one(Desk& desk, BotAccount& bot, const json::value& value) {
  const json::object* update = value.if_object();
  const std::string_view kind = update == nullptr ? std::string_view() : kind_of(*update);
  if (kind.empty()) return Refusal("updates: each is an object like {\"message\":{…}}");
  const json::value& content = update->at(json_view(kind));
  learn(desk.server.world(), bot.id.value(), kind, content);
  const std::optional<UpdateId> id = bot.add(kind, json::serialize(content));
  return id ? id->value() : 0;
}

/// `updates`: objects; `sample`: the name of one of ours. An update_id of its own is replaced by the bot's
/// next.
Checked<json::value> add_updates(Desk& desk, const json::object& request) {
  Stage stage = desk.stage();
  const Checked<BotAccount*> bot = acting_bot(stage, request);
  if (!bot) return bot.error();
  json::array updates;
  if (const json::array* given = array_in(request, "updates")) updates = *given;
  if (const std::string_view name = string_in(request, "sample"); !name.empty()) {
    for (const Sample& sample : samples()) {
      if (sample.name == name) updates.push_back(parse_json(sample.json).value_or(nullptr));
    }
    if (updates.empty()) return Refusal("sample: there is none of this name");
  }
  if (updates.empty()) return Refusal("updates: a list of updates, or sample: the name of one");
  json::array ids;
  for (const json::value& update : updates) {
    const Checked<std::int64_t> id = add_one(desk, **bot, update);
    if (!id) return id.error();
    ids.push_back(*id == 0 ? json::value() : json::value(*id));
  }
  json::object shown;
  shown["update_ids"] = std::move(ids);
  return json::value(std::move(shown));
}

Checked<json::value> make_traffic(Desk& desk, const json::object& request) {
  Stage stage = desk.stage();
  const Checked<BotAccount*> bot = acting_bot(stage, request);
  if (!bot) return bot.error();
  const std::int64_t count = number_in(request, "count", 1);
  const std::int64_t chats = number_in(request, "chats", 50);
  if (count < 1 || count > most_updates || chats < 1) return Refusal("count: 1 to 100000; chats: 1 or more");
  Traffic traffic(static_cast<std::uint64_t>(number_in(request, "seed", 1)), static_cast<std::size_t>(chats));
  std::int64_t queued = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const TrafficUpdate update = traffic.next();
    learn(desk.server.world(), (*bot)->id.value(), update.kind, parse_json(update.body).value_or(nullptr));
    if ((*bot)->add(update.kind, update.body)) ++queued;
  }
  json::object shown;
  shown["queued"] = queued;
  return json::value(std::move(shown));
}

/// `next_id` is the id of the next update, as after a quiet week; `confirmed_again` the share of confirmed
/// updates that come once more.
Checked<json::value> set_queue(Desk& desk, const json::object& request) {
  Stage stage = desk.stage();
  const Checked<BotAccount*> bot = acting_bot(stage, request);
  if (!bot) return bot.error();
  if (const std::int64_t next = number_in(request, "next_id"); next > 0) (*bot)->queue.jump_to(next);
  if (const json::value* share = member_of(request, "confirmed_again")) {
    if (!share->is_number()) return Refusal("confirmed_again: a number from 0 to 1");
    (*bot)->queue.send_confirmed_again(share->to_number<double>());
  }
  if (flag_in(request, "clear")) (*bot)->queue.clear();
  return json::value(true);
}

constexpr std::array requests = {
    NamedRequest("updates", add_updates),
    NamedRequest("traffic", make_traffic),
    NamedRequest("queue", set_queue),
};

}  // namespace

std::span<const NamedRequest> update_requests() noexcept {
  return requests;
}

}  // namespace tgkeep::emulator
