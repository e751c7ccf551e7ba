#include "app/display/bot_words.hpp"

#include <chrono>

#include "app/display/amounts.hpp"

namespace tgkeep::app {

bool is_meant(const json::value& bot, const std::string& only) {
  return only.empty() || text_at(bot, "name") == only || std::to_string(number_at(bot, "id")) == only;
}

std::string bot_name(const json::value& bot) {
  const std::string name = text_at(bot, "name");
  const std::int64_t id = number_at(bot, "id");
  if (id == 0) return name.empty() ? "bot" : name;
  return name.empty() ? std::to_string(id) : name + " (" + std::to_string(id) + ")";
}

Cell state_cell(const json::value& item) {
  const std::string state = text_at(item, "state");
  const std::string reason = text_at(item, "reason");
  if (state == "in_flight") return Cell("in flight", Tone::good);
  if (state == "retrying") return Cell(state, Tone::attention);
  if (state == "held") return Cell(state, Tone::attention);
  if (state == "dead") return Cell(reason.empty() ? state : "dead (" + reason + ")", Tone::bad);
  if (state == "done") return Cell(state, Tone::good);
  return Cell(state == "pending" ? "waiting" : state);
}

std::string counts_text(const json::value& by_word) {
  std::string text;
  const json::object* const counts = by_word.if_object();
  if (counts == nullptr) return text;
  for (const auto& entry : *counts) {
    const std::string word(entry.key());
    const std::int64_t count = number_at(by_word, word);
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + word + " " + std::to_string(count);
  }
  return text;
}

std::int64_t sum_of(const json::value& by_word) {
  std::int64_t sum = 0;
  const json::object* const counts = by_word.if_object();
  if (counts == nullptr) return sum;
  for (const auto& entry : *counts) sum += number_at(by_word, std::string(entry.key()));
  return sum;
}

bool nobody_polls(const json::value& bot) {
  constexpr double kSilent = 60;
  const json::value& face = member(bot, "face");
  if (!flag_at(face, "pulls") || !text_at(face, "own_webhook").empty()) return false;
  const auto last = seconds_at(face, "last_poll_s");
  return number_at(face, "waiting") > 0 && (!last || *last > kSilent);
}

std::string ago_text(const json::value& item, std::string_view name, WallTime now) {
  const std::optional<WallTime> time = time_at(item, name);
  if (!time) return {};
  return age_text(std::chrono::duration<double>(now - *time).count());
}

WallTime wall_now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace tgkeep::app
