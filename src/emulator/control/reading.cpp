// What there is, and what the bots did.

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <string>

#include "emulator/control/desk.hpp"
#include "emulator/schema/schema.hpp"

namespace tgkeep::emulator {

namespace {

std::string_view end_name(CallRecord::End end) {
  switch (end) {
    case CallRecord::End::running:
      return "running";
    case CallRecord::End::answered:
      return "answered";
    case CallRecord::End::hung_up:
      return "hung_up";
    case CallRecord::End::cut_off:
      return "cut_off";
  }
  return "";
}

/// Text as it came, unless the schema says that it is a number, a flag or JSON.
json::value typed(const schema::MethodSpec* method, const std::string& name, const std::string& text) {
  const schema::Slot* slot = method == nullptr ? nullptr : method->param(name);
  const bool is_text = slot != nullptr && slot->array_depth == 0 && slot->type().name == "string";
  if (is_text || text.empty()) return json_text(text);
  std::optional<json::value> parsed = parse_json(text);
  return parsed ? *std::move(parsed) : json::value(json_text(text));
}

json::object show_bot(const BotAccount& bot) {
  json::object shown;
  shown["profile"] = bot.profile;
  shown["pending_updates"] = bot.queue.size();
  shown["next_update_id"] = bot.queue.tail();
  shown["polls"] = bot.waiting != nullptr;
  shown["webhook"] = nullptr;
  if (bot.webhook.settings) shown["webhook"] = json_text(bot.webhook.settings->given_url);
  shown["delivered"] = bot.deliveries.delivered();
  shown["acknowledged"] = bot.deliveries.acknowledged();
  return shown;
}

Checked<json::value> show_state(Desk& desk, const json::object&) {
  json::object state;
  json::array bots;
  for (const BotAccount* bot : desk.server.bots()) bots.push_back(show_bot(*bot));
  state["bots"] = std::move(bots);
  const Directory& directory = desk.server.world().directory;
  json::array users;
  for (const auto& [id, user] : directory.users()) users.push_back(user.profile);
  state["users"] = std::move(users);
  json::array chats;
  for (const auto& [id, chat] : directory.chats()) chats.push_back(chat.profile);
  state["chats"] = std::move(chats);
  state["calls"] = desk.server.calls().empty() ? 0 : desk.server.calls().back().number;
  return json::value(std::move(state));
}

Checked<json::value> clear_calls(Desk& desk, const json::object&) {
  desk.server.clear_calls();
  return json::value(true);
}

/// All of a chat, as one bot sees it.
Checked<json::value> show_messages(Desk& desk, const json::object& request) {
  Stage stage = desk.stage();
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  if (scene->bots.empty()) return json::value(json::array());
  return json::value(desk.server.world().messages.of_chat(scene->bots.front()->id.value(), scene->chat));
}

Checked<json::value> show_deliveries(Desk& desk, const json::object& request) {
  Stage stage = desk.stage();
  const Checked<BotAccount*> bot = acting_bot(stage, request);
  if (!bot) return bot.error();
  json::array shown;
  for (const WebhookRecord& record : (*bot)->webhook.log) {
    json::object entry;
    entry["update_id"] = record.update.value();
    entry["kind"] = record.kind;
    entry["queue"] = record.key;
    entry["failures"] = record.failures;
    entry["connection"] = record.connection;
    entry["ended"] = record.ended;
    entry["status"] = record.status;
    entry["error"] = record.error;
    shown.push_back(std::move(entry));
  }
  return json::value(std::move(shown));
}

constexpr std::array requests = {
    NamedRequest("state", show_state),
    NamedRequest("calls/clear", clear_calls),
    NamedRequest("messages", show_messages),
    NamedRequest("deliveries", show_deliveries),
};

}  // namespace

json::object show_call(const CallRecord& call) {
  const schema::MethodSpec* method = schema::find_method(call.method);
  json::object shown;
  shown["number"] = call.number;
  shown["bot"] = call.bot.value();
  shown["method"] = call.method;
  json::object params;
  for (const auto& [name, value] : call.params.values()) {
    if (!params.contains(name)) params[name] = typed(method, name, value);
  }
  shown["params"] = std::move(params);
  json::array files;
  for (const telegram::Upload& upload : call.params.uploads()) {
    json::object file;
    file["part"] = upload.name;
    file["name"] = upload.file_name;
    file["type"] = upload.type;
    file["size"] = upload.bytes.size();
    files.push_back(std::move(file));
  }
  shown["files"] = std::move(files);
  shown["webhook_reply"] = call.webhook_reply;
  shown["took_effect"] = call.took_effect;
  shown["end"] = json_text(end_name(call.end));
  shown["status"] = call.status;
  if (!call.fault.empty()) shown["fault"] = call.fault;
  if (!call.answer.empty()) shown["answer"] = parse_json(call.answer).value_or(json::value(call.answer));
  return shown;
}

bool is_meant(const CallRecord& call, const json::object& request) {
  if (call.end == CallRecord::End::running) return false;
  if (call.number <= number_in(request, "after")) return false;
  const std::string_view method = string_in(request, "method");
  if (method.empty() && call.method == "getUpdates") return false;
  if (!method.empty() && !telegram::same_ignoring_case(method, call.method)) return false;
  const std::int64_t bot = number_in(request, "bot");
  const std::int64_t chat = number_in(request, "chat");
  return (bot == 0 || bot == call.bot.value()) && (chat == 0 || chat == call.chat);
}

std::span<const NamedRequest> reading_requests() noexcept {
  return requests;
}

}  // namespace tgkeep::emulator
