#include "clients/story.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>
#include <stdexcept>

namespace tgkeep::test {

namespace {

constexpr auto kPatience = std::chrono::minutes(3);

Event::Kind kind_of(const std::string& word) {
  static const std::map<std::string, Event::Kind> words = {{"request", Event::Kind::request},
                                                           {"start", Event::Kind::start},
                                                           {"end", Event::Kind::end},
                                                           {"throw", Event::Kind::failed},
                                                           {"answer", Event::Kind::answer}};
  const auto found = words.find(word);
  if (found == words.end()) throw std::runtime_error("a journal does not know the word '" + word + "'");
  return found->second;
}

}  // namespace

Event read_line(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::string word;
  Event event;
  in >> event.millis >> word >> event.update;
  if (in) event.kind = kind_of(word);
  if (event.kind == Event::Kind::request) in >> event.attempt >> event.epoch;
  if (event.kind == Event::Kind::answer) in >> event.answer;
  if (!in) throw std::runtime_error("not a line of a journal: " + std::string(line));
  return event;
}

void Story::add(Event event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
  changed_.notify_all();
}

std::size_t Story::counted(Event::Kind kind) const {
  const auto same = [&](const Event& event) { return event.kind == kind; };
  return static_cast<std::size_t>(std::count_if(events_.begin(), events_.end(), same));
}

std::size_t Story::count(Event::Kind kind) const {
  const std::lock_guard lock(mutex_);
  return counted(kind);
}

void Story::wait_for(Event::Kind kind, std::size_t number) const {
  std::unique_lock lock(mutex_);
  const auto settled = [&] { return counted(kind) >= number || counted(Event::Kind::died) > 0; };
  const bool in_time = changed_.wait_for(lock, kPatience, settled);
  if (counted(Event::Kind::died) > 0)
    throw std::runtime_error("the receiver ended by itself (scripts/clients installs what it needs)");
  if (!in_time) {
    throw std::runtime_error("waited too long: " + std::to_string(counted(kind)) + " of " +
                             std::to_string(number));
  }
}

std::vector<Event> Story::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

}  // namespace tgkeep::test
