#include "prove/handler_log.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace tgkeep::prove {

namespace {

/// Takes the next word of `line`, separated by one blank.
std::string_view next_word(std::string_view& line) {
  const std::size_t blank = line.find(' ');
  const std::string_view word = line.substr(0, blank);
  line = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
  return word;
}

template <class Number>
std::optional<Number> next_number(std::string_view& line) {
  const std::string_view word = next_word(line);
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::optional<HandlerEvent> read_life(std::string_view rest) {
  const auto life = next_number<std::int64_t>(rest);
  const auto pid = next_number<std::int64_t>(rest);
  if (!life || !pid || !rest.empty()) return std::nullopt;
  HandlerEvent event(HandlerEvent::Kind::life);
  event.life = *life;
  return event;
}

std::optional<HandlerEvent> read_delivery(HandlerEvent::Kind kind, std::string_view rest) {
  const auto update = next_number<std::int64_t>(rest);
  const std::string_view key = next_word(rest);
  if (!update || key.empty()) return std::nullopt;
  HandlerEvent event(kind);
  event.update = UpdateId(*update);
  event.key = key;
  if (kind == HandlerEvent::Kind::start) {
    const auto attempt = next_number<std::uint32_t>(rest);
    const auto repeated = next_number<std::uint32_t>(rest);
    if (!attempt || !repeated) return std::nullopt;
    event.attempt = *attempt;
    event.repeated = *repeated != 0;
  }
  if (!rest.empty()) {
    const auto epoch = next_number<std::int64_t>(rest);
    if (!epoch) return std::nullopt;
    event.epoch = *epoch;
  }
  if (!rest.empty()) return std::nullopt;
  return event;
}

std::optional<HandlerEvent> read_event(std::string_view line) {
  const std::string_view word = next_word(line);
  if (word == "life") return read_life(line);
  if (word == "start") return read_delivery(HandlerEvent::Kind::start, line);
  if (word == "end") return read_delivery(HandlerEvent::Kind::end, line);
  if (word == "fail") return read_delivery(HandlerEvent::Kind::fail, line);
  return std::nullopt;
}

}  // namespace

Result<HandlerEvent> read_line(std::string_view line) {
  std::optional<HandlerEvent> event = read_event(line);
  if (event) return *std::move(event);
  return Error(Errc::bad_answer, "handler log: not a line of this log: \"" +
                                     std::string(line.substr(0, 200)) +
                                     "\"; something else writes to the file");
}

std::string life_line(std::int64_t life, std::int64_t pid) {
  return "life " + std::to_string(life) + ' ' + std::to_string(pid) + '\n';
}

std::string start_line(UpdateId update, std::string_view key, std::uint32_t attempt, bool repeated) {
  std::string line = "start " + std::to_string(update.value()) + ' ';
  line.append(key) += ' ';
  line += std::to_string(attempt) + (repeated ? " 1\n" : " 0\n");
  return line;
}

std::string end_line(UpdateId update, std::string_view key) {
  std::string line = "end " + std::to_string(update.value()) + ' ';
  line.append(key) += '\n';
  return line;
}

std::string start_line(UpdateId update, std::string_view key, std::uint32_t attempt, bool repeated,
                       std::int64_t epoch) {
  std::string line = start_line(update, key, attempt, repeated);
  line.back() = ' ';
  return line + std::to_string(epoch) + '\n';
}

std::string end_line(UpdateId update, std::string_view key, std::int64_t epoch) {
  std::string line = end_line(update, key);
  line.back() = ' ';
  return line + std::to_string(epoch) + '\n';
}

std::string fail_line(UpdateId update, std::string_view key, std::int64_t epoch) {
  return "fail" + end_line(update, key, epoch).substr(3);
}

Result<std::vector<HandlerEvent>> LogReader::read(std::string_view piece) {
  rest_.append(piece);
  std::vector<HandlerEvent> events;
  std::size_t begin = 0;
  for (std::size_t feed = rest_.find('\n'); feed != std::string::npos; feed = rest_.find('\n', begin)) {
    Result<HandlerEvent> event = read_line(std::string_view(rest_).substr(begin, feed - begin));
    if (!event) return event.error();
    events.push_back(*std::move(event));
    begin = feed + 1;
  }
  rest_.erase(0, begin);
  return events;
}

Result<std::vector<HandlerEvent>> LogFollower::read(const std::string& path) {
  std::vector<HandlerEvent> all;
  if (!file_.is_open()) file_.open(path, std::ios::binary);
  if (!file_.is_open()) return all;
  file_.clear();
  std::string piece(64U << 10, '\0');
  do {
    file_.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    auto events = reader_.read(std::string_view(piece).substr(0, static_cast<std::size_t>(file_.gcount())));
    if (!events) return events.error();
    std::ranges::move(*events, std::back_inserter(all));
  } while (file_.gcount() > 0);
  return all;
}

}  // namespace tgkeep::prove
