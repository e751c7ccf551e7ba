#include "prove/handler_log.hpp"

#include <optional>

namespace tgkeep::prove {

namespace {

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
  if (word == "settled") return read_delivery(HandlerEvent::Kind::settled, line);
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

std::string settled_line(UpdateId update, std::string_view key) {
  return "settled" + end_line(update, key).substr(3);
}

}  // namespace tgkeep::prove
