#include "prove/call_log.hpp"

#include <array>

namespace tgkeep::prove {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Told::count_)> kNames{
    "ok", "refused", "not_sent", "held", "maybe_sent", "silent", "unreached", "broken", "cut",
};
static_assert(!kNames.back().empty());

constexpr std::string_view kText = "Call ";

std::optional<Told> told_of(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Told>(i);
  }
  return std::nullopt;
}

std::optional<CallEvent> read(std::string_view line) {
  const std::string_view word = next_word(line);
  const auto number = next_number<std::int64_t>(line);
  if (!number) return std::nullopt;
  CallEvent event;
  event.number = *number;
  if (word == "made") {
    const auto chat = number_in<std::int64_t>(line);
    if (!chat) return std::nullopt;
    event.chat = *chat;
    return event;
  }
  event.told = told_of(line);
  if (word != "told" || !event.told) return std::nullopt;
  return event;
}

}  // namespace

std::string_view to_string(Told told) noexcept {
  return kNames[static_cast<std::size_t>(told)];
}

std::string made_line(std::int64_t number, std::int64_t chat) {
  return "made " + std::to_string(number) + ' ' + std::to_string(chat) + '\n';
}

std::string told_line(std::int64_t number, Told told) {
  std::string line = "told " + std::to_string(number) + ' ';
  line.append(to_string(told)) += '\n';
  return line;
}

Result<CallEvent> read_call_line(std::string_view line) {
  const std::optional<CallEvent> event = read(line);
  if (event) return *event;
  return Error(Errc::bad_answer, "call log: not a line of this log: \"" + std::string(line.substr(0, 200)) +
                                     "\"; something else writes to the file");
}

std::string call_text(std::int64_t number) {
  return std::string(kText) + std::to_string(number);
}

std::optional<std::int64_t> call_of_text(std::string_view text) {
  if (!text.starts_with(kText)) return std::nullopt;
  return number_in<std::int64_t>(text.substr(kText.size()));
}

}  // namespace tgkeep::prove
