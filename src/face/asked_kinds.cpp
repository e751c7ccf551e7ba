#include "face/asked_kinds.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "telegram/update_kinds.hpp"

namespace tgkeep::face {

namespace {

namespace json = boost::json;

constexpr std::size_t kMostKinds = 100;
constexpr std::size_t kLongestName = 64;

bool holds(const Kinds& kinds, std::string_view name) {
  return std::ranges::find(kinds, name) != kinds.end();
}

/// In small letters; "" when it can't be the name of a kind.
std::string name_of(const json::string& given) {
  std::string name;
  for (const char letter : given) {
    const bool capital = letter >= 'A' && letter <= 'Z';
    const char small = capital ? static_cast<char>(letter - 'A' + 'a') : letter;
    if (small != '_' && (small < 'a' || small > 'z')) return "";
    name += small;
  }
  return name.size() <= kLongestName ? name : std::string();
}

Kinds default_kinds() {
  Kinds kinds;
  for (const telegram::UpdateKind& kind : telegram::update_kinds()) {
    const bool extra = kind.name == "chat_member" || kind.name == "message_reaction" ||
                       kind.name == "message_reaction_count";
    if (!extra) kinds.emplace_back(kind.name);
  }
  return kinds;
}

void add(Kinds& to, const Kinds& kinds) {
  for (const std::string& name : kinds.empty() ? default_kinds() : kinds) {
    if (!holds(to, name)) to.push_back(name);
  }
}

}  // namespace

std::optional<Kinds> read_kinds(std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !value.is_array()) return std::nullopt;
  Kinds kinds;
  for (const json::value& element : value.get_array()) {
    if (!element.is_string()) return std::nullopt;
    const std::string name = name_of(element.get_string());
    if (!name.empty() && !holds(kinds, name) && kinds.size() < kMostKinds) kinds.push_back(name);
  }
  return kinds;
}

Kinds joined_kinds(const std::optional<Kinds>& configured, const Kinds& asked) {
  if (!configured) return asked;
  Kinds all;
  add(all, *configured);
  add(all, asked);
  Kinds usual = default_kinds();
  const bool same = all.size() == usual.size() &&
                    std::ranges::all_of(usual, [&all](const std::string& name) { return holds(all, name); });
  return same ? Kinds() : all;
}

}  // namespace tgkeep::face
