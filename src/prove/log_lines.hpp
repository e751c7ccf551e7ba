#pragma once
// Logs of one event a line, as processes write them that may die: words with one blank between them.

#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/error.hpp>
#include <utility>
#include <vector>

namespace tgkeep::prove {

/// The whole text as a number; nothing else may stand there.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Takes the next word of `line`.
inline std::string_view next_word(std::string_view& line) {
  const std::size_t blank = line.find(' ');
  const std::string_view word = line.substr(0, blank);
  line = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
  return word;
}

template <class Number>
std::optional<Number> next_number(std::string_view& line) {
  return number_in<Number>(next_word(line));
}

/// Turns a growing text into events; keeps an unfinished line for the next piece.
template <class Event, Result<Event> (*read_one)(std::string_view line)>
class LineReader {
 public:
  Result<std::vector<Event>> read(std::string_view piece) {
    rest_.append(piece);
    std::vector<Event> events;
    std::size_t begin = 0;
    for (std::size_t feed = rest_.find('\n'); feed != std::string::npos; feed = rest_.find('\n', begin)) {
      Result<Event> event = read_one(std::string_view(rest_).substr(begin, feed - begin));
      if (!event) return event.error();
      events.push_back(*std::move(event));
      begin = feed + 1;
    }
    rest_.erase(0, begin);
    return events;
  }

 private:
  std::string rest_;
};

/// The log of somebody who goes on writing it.
template <class Event, Result<Event> (*read_one)(std::string_view line)>
class LineFollower {
 public:
  /// The events written since the last call; none while there is no file at `path`.
  Result<std::vector<Event>> read(const std::string& path) {
    std::vector<Event> all;
    if (!file_.is_open()) file_.open(path, std::ios::binary);
    if (!file_.is_open()) return all;
    file_.clear();
    std::string piece(64U << 10, '\0');
    do {
      file_.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      const auto size = static_cast<std::size_t>(file_.gcount());
      Result<std::vector<Event>> events = reader_.read(std::string_view(piece).substr(0, size));
      if (!events) return events.error();
      for (Event& event : *events) all.push_back(std::move(event));
    } while (file_.gcount() > 0);
    return all;
  }

 private:
  std::ifstream file_;
  LineReader<Event, read_one> reader_;
};

}  // namespace tgkeep::prove
