#include "prove/call_log.hpp"

#include <array>
#include <charconv>

namespace tgkeep::prove {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Told::count_)> kNames{
    "ok", "refused", "not_sent", "held", "maybe_sent", "silent", "unreached", "broken", "cut",
};
static_assert(!kNames.back().empty());

constexpr std::string_view kText = "Call ";

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Told> told_of(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Told>(i);
  }
  return std::nullopt;
}

std::optional<CallEvent> read(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const std::string_view word = line.substr(0, first);
  const std::string_view last = line.substr(second + 1);
  const auto number = number_in(line.substr(first + 1, second - first - 1));
  if (!number) return std::nullopt;
  CallEvent event;
  event.number = *number;
  if (word == "made") {
    const auto chat = number_in(last);
    if (!chat) return std::nullopt;
    event.chat = *chat;
    return event;
  }
  event.told = told_of(last);
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
  return number_in(text.substr(kText.size()));
}

Result<std::vector<CallEvent>> CallFollower::read(const std::string& path) {
  std::vector<CallEvent> events;
  if (!file_.is_open()) file_.open(path, std::ios::binary);
  if (!file_.is_open()) return events;
  file_.clear();
  std::string piece(64U << 10, '\0');
  do {
    file_.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    rest_.append(piece, 0, static_cast<std::size_t>(file_.gcount()));
  } while (file_.gcount() > 0);
  std::size_t begin = 0;
  for (std::size_t feed = rest_.find('\n'); feed != std::string::npos; feed = rest_.find('\n', begin)) {
    const Result<CallEvent> event = read_call_line(std::string_view(rest_).substr(begin, feed - begin));
    if (!event) return event.error();
    events.push_back(*event);
    begin = feed + 1;
  }
  rest_.erase(0, begin);
  return events;
}

}  // namespace tgkeep::prove
