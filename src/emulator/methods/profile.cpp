// getMe, and what a bot says about itself: commands, names, descriptions, buttons, rights.

#include <array>
#include <boost/json/array.hpp>
#include <string>

#include "emulator/methods/registry.hpp"

namespace tgkeep::emulator {

namespace {

// Of a bot's first minutes here, and of the time it may not log in again.
constexpr Duration close_after = std::chrono::minutes(10);

/// The parameters by which settings of one name differ.
std::string key_of(const Call& call, std::string_view name) {
  std::string key(name);
  for (const char* part : {"scope", "language_code", "for_channels", "chat_id"}) {
    key.append("|").append(call.text(part));
  }
  return key;
}

const json::value* find(const Call& call, std::string_view name) {
  const auto found = call.bot.settings.find(key_of(call, name));
  return found == call.bot.settings.end() ? nullptr : &found->second;
}

Answer get_me(Call& call) {
  return answer_with(call.bot.profile);
}

Answer set_commands(Call& call) {
  call.bot.settings[key_of(call, "commands")] = parse_json(call.text("commands")).value_or(json::array());
  return Answer::ok("true");
}

Answer delete_commands(Call& call) {
  call.bot.settings.erase(key_of(call, "commands"));
  return Answer::ok("true");
}

Answer get_commands(Call& call) {
  const json::value* known = find(call, "commands");
  return answer_with(known == nullptr ? json::value(json::array()) : *known);
}

/// setMy<Name> keeps the parameter <name>, getMy<Name> shows it in an object.
class TextSetting {
 public:
  constexpr TextSetting(std::string_view setter, std::string_view getter, const char* name)
      : setter(setter), getter(getter), name(name) {}
  std::string_view setter;
  std::string_view getter;
  const char* name;
};

constexpr std::array texts = {
    TextSetting("setMyName", "getMyName", "name"),
    TextSetting("setMyDescription", "getMyDescription", "description"),
    TextSetting("setMyShortDescription", "getMyShortDescription", "short_description"),
};

const TextSetting& setting_of(const Call& call) {
  for (const TextSetting& text : texts) {
    if (text.setter == call.spec.name || text.getter == call.spec.name) return text;
  }
  return texts.front();
}

Answer set_text(Call& call) {
  const TextSetting& setting = setting_of(call);
  call.bot.settings[key_of(call, setting.name)] = json_text(call.text(setting.name));
  const bool renames = setting.setter == "setMyName" && call.text("language_code").empty();
  if (renames && !call.text("name").empty()) call.bot.profile["first_name"] = json_text(call.text("name"));
  return Answer::ok("true");
}

Answer get_text(Call& call) {
  const TextSetting& setting = setting_of(call);
  const json::value* known = find(call, setting.name);
  json::object shown;
  shown[setting.name] = known == nullptr ? json::value("") : *known;
  const bool unnamed = known == nullptr && setting.getter == "getMyName";
  if (unnamed) shown["name"] = call.bot.profile["first_name"];
  return answer_with(shown);
}

Answer set_menu_button(Call& call) {
  json::object usual;
  usual["type"] = "default";
  call.bot.settings[key_of(call, "menu_button")] = parse_json(call.text("menu_button")).value_or(usual);
  return Answer::ok("true");
}

Answer get_menu_button(Call& call) {
  const json::value* known = find(call, "menu_button");
  json::object usual;
  usual["type"] = "default";
  return answer_with(known == nullptr ? json::value(usual) : *known);
}

Answer set_rights(Call& call) {
  if (std::optional<json::value> rights = parse_json(call.text("rights"))) {
    call.bot.settings[key_of(call, "rights")] = *std::move(rights);
  } else {
    call.bot.settings.erase(key_of(call, "rights"));
  }
  return Answer::ok("true");
}

Answer get_rights(Call& call) {
  const json::value* known = find(call, "rights");
  return answer_with(known == nullptr ? call.synthesis().result(call.spec) : *known);
}

/// In the first ten minutes of a bot's life here it is a flood.
Answer close(Call& call) {
  const MonoTime now = call.bot.clock.mono();
  const Duration left = call.bot.started + close_after - now;
  if (left > Duration::zero()) return Answer::flood(std::chrono::ceil<std::chrono::seconds>(left));
  call.bot.started = now;
  return Answer::ok("true");
}

Answer log_out(Call& call) {
  call.bot.logged_out_until = call.bot.clock.mono() + close_after;
  call.bot.queue.clear();
  return Answer::ok("true");
}

constexpr std::array methods = {
    NamedMethod("getMe", get_me),
    NamedMethod("setMyCommands", set_commands),
    NamedMethod("deleteMyCommands", delete_commands),
    NamedMethod("getMyCommands", get_commands),
    NamedMethod("setMyName", set_text),
    NamedMethod("getMyName", get_text),
    NamedMethod("setMyDescription", set_text),
    NamedMethod("getMyDescription", get_text),
    NamedMethod("setMyShortDescription", set_text),
    NamedMethod("getMyShortDescription", get_text),
    NamedMethod("setChatMenuButton", set_menu_button),
    NamedMethod("getChatMenuButton", get_menu_button),
    NamedMethod("setMyDefaultAdministratorRights", set_rights),
    NamedMethod("getMyDefaultAdministratorRights", get_rights),
    NamedMethod("close", close),
    NamedMethod("logOut", log_out),
};

}  // namespace

std::span<const NamedMethod> profile_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
