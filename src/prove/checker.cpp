#include "prove/checker.hpp"

#include <algorithm>
#include <utility>

namespace tgkeep::prove {

namespace {

constexpr std::size_t max_problems = 20;

std::string name(std::int64_t id, const std::string& key) {
  return "update " + std::to_string(id) + " of " + key;
}

}  // namespace

void Checker::sent(UpdateId update, std::string_view key, std::string_view line) {
  const auto [found_key, new_key] = by_key_.try_emplace(std::string(key), keys_.size());
  if (new_key) {
    keys_.emplace_back();
    keys_.back().text = key;
  }
  const auto [found_line, new_line] = by_line_.try_emplace(std::string(line), lines_.size());
  if (new_line) lines_.emplace_back();
  const std::int64_t place = lines_[found_line->second].size++;
  by_id_[update.value()] = updates_.size();
  updates_.push_back(Update{found_key->second, found_line->second, place, update.value()});
}

void Checker::event(const HandlerEvent& event) {
  if (event.kind == HandlerEvent::Kind::life) {
    ++lives_;
    new_generation();
  } else if (is_stale(event)) {
    return;
  } else if (event.kind == HandlerEvent::Kind::start) {
    started(event);
  } else if (event.kind == HandlerEvent::Kind::fail) {
    failed(event);
  } else if (event.kind == HandlerEvent::Kind::settled) {
    settled(event);
  } else {
    ended(event);
  }
}

void Checker::new_generation() {
  ++generation_;
  running_ = 0;
}

bool Checker::is_stale(const HandlerEvent& event) {
  if (event.epoch > epoch_) {
    epoch_ = event.epoch;
    ++epochs_;
    new_generation();
  }
  if (event.epoch >= epoch_) return false;
  if (event.kind == HandlerEvent::Kind::start) {
    stale_starts_.emplace(event.update, event.epoch);
    ++stale_;
  } else if (stale_starts_.erase({event.update, event.epoch}) == 0) {
    ++stale_;
  }
  return true;
}

void Checker::started(const HandlerEvent& event) {
  Update* update = find(event.update, "was started");
  if (update == nullptr) return;
  ++running_;
  max_parallel_ = std::max(max_parallel_, running_);
  Key& key = keys_[update->key];
  Line& line = lines_[update->line];
  const bool first = update->rank < 0;
  std::string wrong;
  if (update->settled) {
    wrong = "was started although tgkeep had answered that it was settled";
  } else if (key.running != nullptr && key.running_in == generation_) {
    wrong = "started while update " + std::to_string(key.running->id) + " was running";
  } else if (first) {
    wrong = first_start(*update, key, line);
  } else {
    wrong = second_start(*update, key, event);
  }
  if (!wrong.empty()) violation(name(update->id, key.text) + " " + wrong);
  if (first) {
    update->rank = key.starts++;
    key.last = update;
  } else {
    ++repeated_;
  }
  update->failed = false;
  update->started_in = generation_;
  line.last_started = std::max(line.last_started, update->place);
  key.running = update;
  key.running_in = generation_;
}

std::string Checker::first_start(const Update& update, const Key& key, const Line& line) {
  if (update.place < line.last_started) return "was first started after a later one of its key";
  if (update.place > line.last_started + 1) return "was started before its predecessor was";
  if (key.last != nullptr && !key.last->ended && !key.last->mortal)
    return "was started although its predecessor never ended";
  return "";
}

std::string Checker::second_start(const Update& update, const Key& key, const HandlerEvent& event) const {
  if (update.rank + 1 < key.starts) return "was repeated after a later one of its key had started";
  if (update.started_in == generation_ && !update.failed)
    return "was started again although its process had not died";
  if (event.attempt <= 1 && !event.repeated) return "was started again and not marked as repeated";
  return "";
}

void Checker::ended(const HandlerEvent& event) {
  Update* update = find(event.update, "ended");
  if (update == nullptr) return;
  Key& key = keys_[update->key];
  if (update->started_in != generation_) {
    violation(name(update->id, key.text) + " ended in a life in which it was not started");
    return;
  }
  --running_;
  if (key.running == update) key.running = nullptr;
  if (!update->ended) ++handled_;
  update->ended = true;
}

void Checker::failed(const HandlerEvent& event) {
  Update* update = find(event.update, "failed");
  if (update == nullptr) return;
  Key& key = keys_[update->key];
  if (update->started_in != generation_) {
    violation(name(update->id, key.text) + " failed in a life in which it was not started");
    return;
  }
  --running_;
  if (key.running == update) key.running = nullptr;
  update->failed = true;
}

void Checker::settled(const HandlerEvent& event) {
  Update* update = find(event.update, "was settled");
  if (update != nullptr) update->settled = true;
}

void Checker::may_die(UpdateId id) {
  const auto found = by_id_.find(id.value());
  if (found != by_id_.end()) updates_[found->second].mortal = true;
}

void Checker::died(UpdateId id) {
  Update* update = find(id, "died");
  if (update == nullptr || update->dead) return;
  update->dead = true;
  if (update->called)
    violation(name(update->id, keys_[update->key].text) + " is a dead letter and has left a call");
  // It may have ended well, and been cut off before that was written.
  if (!update->ended) ++dead_;
  if (!update->called) ++dead_calls_;
}

void Checker::call(UpdateId id, std::string_view chat) {
  ++calls_;
  Update* update = find(id, "was answered by a call");
  if (update == nullptr) return;
  Key& key = keys_[update->key];
  if (key.text != chat) {
    violation("the call of " + name(update->id, key.text) + " went to " + std::string(chat));
    return;
  }
  if (update->rank < key.last_called) {
    violation("the call of " + name(update->id, key.text) + " arrived after that of a later one");
  }
  if (update->rank < 0) violation("the call of " + name(update->id, key.text) + " arrived before its start");
  key.last_called = std::max(key.last_called, update->rank);
  if (!update->called) ++called_;
  update->called = true;
}

void Checker::stray(std::string what) {
  violation(std::move(what));
}

std::size_t Checker::first_unhandled() {
  while (first_unhandled_ < updates_.size() && updates_[first_unhandled_].ended) ++first_unhandled_;
  return first_unhandled_;
}

Checker::Update* Checker::find(UpdateId id, std::string_view what) {
  const auto found = by_id_.find(id.value());
  if (found != by_id_.end()) return &updates_[found->second];
  std::string text = "update " + std::to_string(id.value()) + ", which was never sent, ";
  violation(text.append(what));
  return nullptr;
}

void Checker::violation(std::string what) {
  ++out_of_order_;
  if (problems_.size() < max_problems) problems_.push_back(std::move(what));
}

}  // namespace tgkeep::prove
