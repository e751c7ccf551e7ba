#include "app/commands/bot_choice.hpp"

#include <set>

#include "app/commands/command_end.hpp"

namespace tgkeep::app {

namespace {

/// HOST:PORT of the target `push HOST port PORT`; "" when it is another kind.
std::string pushed_place(const json::value& bot) {
  constexpr std::string_view kPush = "push ";
  constexpr std::string_view kPort = " port ";
  std::string target = text_at(member(bot, "target"), "kind");
  if (!target.starts_with(kPush)) return {};
  target.erase(0, kPush.size());
  const std::size_t port = target.rfind(kPort);
  if (port != std::string::npos) target.replace(port, kPort.size(), ":");
  return target;
}

}  // namespace

std::string path_name(const json::value& bot) {
  const std::int64_t id = number_at(bot, "id");
  if (id != 0) return std::to_string(id);
  const std::string name = text_at(bot, "name");
  return name.empty() ? "-" : name;
}

std::vector<std::string> bots_pushed_to(const json::value& status, const std::string& place) {
  std::vector<std::string> found;
  std::set<std::string> known;
  for (const json::value& bot : list_at(status, "bots")) {
    const std::string target = pushed_place(bot);
    if (target.empty()) continue;
    known.insert(target);
    if (target == place) found.push_back(path_name(bot));
  }
  if (!found.empty()) return found;
  std::string names;
  for (const std::string& target : known) names += (names.empty() ? "" : ", ") + target;
  throw CommandEnd(Exit::not_found, "--target: no bot is pushed to " + place +
                                        "; the targets are: " + (names.empty() ? "none" : names));
}

std::vector<std::string> all_bots_of(const json::value& status) {
  std::vector<std::string> found;
  for (const json::value& bot : list_at(status, "bots")) found.push_back(path_name(bot));
  return found;
}

}  // namespace tgkeep::app
