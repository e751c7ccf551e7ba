// Buttons, inline queries, reactions, votes.

#include <array>
#include <boost/json/array.hpp>
#include <string>

#include "emulator/people/actions.hpp"

namespace tgkeep::emulator {

namespace {

constexpr std::chrono::seconds callback_time{150};
constexpr std::chrono::seconds inline_time{30};

bool has_keyboard(const json::object& message) {
  const json::object* markup = object_in(message, "reply_markup");
  return markup != nullptr && markup->contains("inline_keyboard");
}

/// The button with this data or this text; the first with data when neither is said.
const json::object* find_button(const json::object& message, std::string_view data, std::string_view text) {
  const json::array& rows = *array_in(*object_in(message, "reply_markup"), "inline_keyboard");
  for (const json::value& row : rows) {
    for (const json::value& value : row.as_array()) {
      const json::object& button = value.as_object();
      const bool is_game = button.contains("callback_game");
      if (!button.contains("callback_data") && !is_game) continue;
      const bool same = (data.empty() || string_in(button, "callback_data") == data) &&
                        (text.empty() || string_in(button, "text") == text);
      if (same) return &button;
    }
  }
  return nullptr;
}

Checked<Deed> press_button(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  const Checked<json::object*> message =
      find_target(stage, *scene, request, has_keyboard, "message with an inline keyboard");
  if (!message) return message.error();
  const std::string_view data = string_in(request, "data");
  const json::object* button = find_button(**message, data, string_in(request, "text"));
  // An old keyboard that somebody still sees may have it.
  if (button == nullptr && !flag_in(request, "force"))
    return Refusal("data, text: the message has no such button");
  PendingQuery query;
  query.kind = "callback_query";
  query.bot = scene->bots.front()->id.value();
  query.until = stage.now + callback_time;
  query.content["id"] = "";
  query.content["from"] = stage.world.directory.user(scene->user).profile;
  query.content["message"] = **message;
  query.content["chat_instance"] = std::to_string(scene->chat * 7919);
  if (button != nullptr && button->contains("callback_game")) {
    const json::object* game = object_in(**message, "game");
    query.content["game_short_name"] = game == nullptr ? json::value("game") : game->at("title");
  } else {
    query.content["data"] = json_text(button == nullptr ? data : string_in(*button, "callback_data"));
  }
  json::object content = query.content;
  content["id"] = stage.world.queries.add(std::move(query));
  Deed deed;
  stage.tell(deed, *scene->bots.front(), "callback_query", content);
  return deed;
}

Checked<Deed> ask_inline(Stage& stage, const json::object& request) {
  const Checked<std::int64_t> user = acting_user(stage, request);
  if (!user) return user.error();
  const Checked<BotAccount*> bot = acting_bot(stage, request);
  if (!bot) return bot.error();
  PendingQuery query;
  query.kind = "inline_query";
  query.bot = (*bot)->id.value();
  query.until = stage.now + inline_time;
  query.content["id"] = "";
  query.content["from"] = stage.world.directory.user(*user).profile;
  query.content["query"] = json_text(string_in(request, "query"));
  query.content["offset"] = json_text(string_in(request, "offset"));
  const std::string_view type = string_in(request, "chat_type");
  query.content["chat_type"] = json_text(type.empty() ? "sender" : type);
  json::object content = query.content;
  content["id"] = stage.world.queries.add(std::move(query));
  Deed deed;
  stage.tell(deed, **bot, "inline_query", content);
  return deed;
}

Checked<Deed> choose_result(Stage& stage, const json::object& request) {
  const Checked<std::int64_t> user = acting_user(stage, request);
  if (!user) return user.error();
  const Checked<BotAccount*> bot = acting_bot(stage, request);
  if (!bot) return bot.error();
  json::object content;
  content["result_id"] = json_text(string_in(request, "result_id"));
  content["from"] = stage.world.directory.user(*user).profile;
  content["query"] = json_text(string_in(request, "query"));
  if (request.contains("inline_message_id")) {
    content["inline_message_id"] = json_text(string_in(request, "inline_message_id"));
  }
  Deed deed;
  stage.tell(deed, **bot, "chosen_inline_result", content);
  return deed;
}

json::array reactions(std::string_view emoji) {
  json::array all;
  if (emoji.empty()) return all;
  json::object reaction;
  reaction["type"] = "emoji";
  reaction["emoji"] = json_text(emoji);
  all.push_back(std::move(reaction));
  return all;
}

/// `emoji` "" takes the reaction back; `old` is the one before.
Checked<Deed> react(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  const auto any = [](const json::object&) { return true; };
  const Checked<json::object*> message = find_target(stage, *scene, request, any, "message");
  if (!message) return message.error();
  json::object content;
  content["chat"] = (*message)->at("chat");
  content["message_id"] = number_in(**message, "message_id");
  content["user"] = stage.world.directory.user(scene->user).profile;
  content["date"] = stage.date();
  content["old_reaction"] = reactions(string_in(request, "old"));
  content["new_reaction"] = reactions(string_in(request, "emoji"));
  Deed deed;
  for (const BotAccount* bot : scene->bots) stage.tell(deed, *bot, "message_reaction", content);
  return deed;
}

/// Counts in the message, too; the bot gets poll, and poll_answer when the poll is not anonymous.
Checked<Deed> vote(Stage& stage, const json::object& request) {
  const Checked<Scene> scene = find_scene(stage, request);
  if (!scene) return scene.error();
  const auto has_poll = [](const json::object& message) { return message.contains("poll"); };
  const Checked<json::object*> message = find_target(stage, *scene, request, has_poll, "poll");
  if (!message) return message.error();
  json::object& poll = (*message)->at("poll").as_object();
  if (flag_in(poll, "is_closed")) return Refusal("message_id: the poll is closed");
  json::array& options = poll.at("options").as_array();
  const json::array* chosen = array_in(request, "options");
  if (chosen == nullptr) return Refusal("options: a list of numbers, counted from 0");
  json::array ids;
  for (const json::value& number : *chosen) {
    const std::int64_t* place = number.if_int64();
    if (place == nullptr || *place < 0 || *place >= static_cast<std::int64_t>(options.size())) {
      return Refusal("options: the poll has no such option");
    }
    json::object& option = options[static_cast<std::size_t>(*place)].as_object();
    option["voter_count"] = number_in(option, "voter_count") + 1;
    ids.push_back(option.contains("persistent_id") ? option.at("persistent_id") : json::value(""));
  }
  poll["total_voter_count"] = number_in(poll, "total_voter_count") + 1;
  Deed deed;
  for (const BotAccount* bot : scene->bots) {
    stage.tell(deed, *bot, "poll", poll);
    if (flag_in(poll, "is_anonymous")) continue;
    json::object answer;
    answer["poll_id"] = poll.at("id");
    answer["user"] = stage.world.directory.user(scene->user).profile;
    answer["option_ids"] = *chosen;
    answer["option_persistent_ids"] = ids;
    stage.tell(deed, *bot, "poll_answer", answer);
  }
  return deed;
}

constexpr std::array actions = {
    NamedAction("press-button", press_button),
    NamedAction("ask-inline", ask_inline),
    NamedAction("choose-result", choose_result),
    NamedAction("react", react),
    NamedAction("vote", vote),
};

}  // namespace

std::span<const NamedAction> button_actions() noexcept {
  return actions;
}

}  // namespace tgkeep::emulator
