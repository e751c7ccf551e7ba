#pragma once
// What PullWindow does, said with a list and loops over all of it.

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "rules/pull_window.hpp"

namespace tgkeep::test {

using rules::PullWindow;

class NaivePullWindow {
 public:
  using How = PullWindow::How;
  using Numbers = std::vector<std::pair<std::int64_t, std::int64_t>>;  // id, seq

  NaivePullWindow(std::int64_t last, const Numbers& open) : next(last == 0 ? 1 : last + 1001), highest(last) {
    others = last > 0;
    for (const auto& [id, seq] : open) {
      One one(seq);
      one.id = id;
      one.present = false;
      one.noted = one.held = true;
      all.push_back(one);
    }
  }

  /// 'w' waits, 'e' early, 'd' dropped, 'c' closed.
  char arrive(std::int64_t seq, std::int64_t expires) {
    if (early.erase(seq) > 0) return 'e';
    if (seq <= dropped || closed) {
      take(seq, false);
      return seq <= dropped ? 'd' : 'c';
    }
    One* const known = find(seq);
    if (known != nullptr) {
      known->present = true;
      known->expires = expires;
    } else {
      all.emplace_back(seq);
      all.back().expires = expires;
    }
    return 'w';
  }
  void leave(std::int64_t seq) {
    One* const one = find(seq);
    if (one == nullptr) return;
    if (one->held) {
      one->present = false;
    } else {
      take(seq, false);
    }
  }

  bool poll(std::int64_t offset, bool settles) {
    if (offset == 1) offset = 0;
    const bool is_first = !std::exchange(polled, true);
    if (offset > highest + 1) {
      if (is_first) {
        next = std::max(next, offset);
        highest = offset - 1;
        top = offset;
        for (const std::int64_t seq : seqs()) forget(seq);
      }
      if (!settles && !is_first) arrived = 0;
      return false;
    }
    if (!settles) {
      for (const std::int64_t seq : seqs()) {
        const One& one = *find(seq);
        if (one.held && one.id < offset) end(seq, How::done);
      }
    }
    bool anew = false;
    if (is_first) {
      anew = offset == 0 && others;
      for (const std::int64_t seq : seqs()) {
        if (find(seq)->id >= std::max<std::int64_t>(offset, 1)) forget(seq);
      }
      if (settles) adopted = offset;
    } else {
      const bool holds_any = std::ranges::any_of(all, &One::held);
      anew = offset == 0 ? top > 0 || holds_any : offset < top;
      if (anew) restart_of_bot();
    }
    top = offset;
    arrived = settles && (is_first || !anew) ? offset : 0;
    return anew;
  }
  void restart() {
    restart_of_bot();
    top = arrived = 0;
  }

  /// `ahead` further ones get their numbers when any gets one; none gets one when only what is noted counts.
  Numbers choose(std::size_t limit, std::size_t ahead, std::int64_t now, bool noted) {
    Numbers picks;
    if (closed) return picks;
    bool beside = false;
    for (const One& one : all) beside = beside || (one.held && one.present);
    std::map<std::int64_t, One*> by_id;
    std::map<std::int64_t, One*> by_seq;
    One* lone = nullptr;
    for (One& one : all) {
      if (one.held && one.suspect) lone = &one;
      if (one.present && one.id > 0 && !(one.held && one.id < arrived)) by_id[one.id] = &one;
      if (one.id == 0) by_seq[one.seq] = &one;
    }
    if (lone != nullptr) {
      if (by_id.contains(lone->id)) picks.emplace_back(lone->id, lone->seq);
      return picks;
    }
    for (const auto& [id, one] : by_id) {
      if (one->suspect && (!picks.empty() || beside)) return picks;
      if (noted && !one->noted) return picks;
      if (id > highest && now >= one->expires) {
        end(one->seq, How::expired);
        continue;
      }
      if (picks.size() == limit) return picks;
      picks.emplace_back(id, one->seq);
      if (one->suspect) return picks;
    }
    if (noted) return picks;
    std::size_t room = limit - picks.size();
    if (room > 0) room += ahead;
    for (const auto& [seq, one] : by_seq) {
      if (now >= one->expires) {
        end(seq, How::expired);
        continue;
      }
      if (room == 0) break;
      --room;
      one->id = next++;
      forgotten.erase(seq);
      if (picks.size() < limit) picks.emplace_back(one->id, seq);
    }
    return picks;
  }
  class Notes {
   public:
    Numbers numbers;
    std::set<std::int64_t> forgotten;
  };
  Notes to_note() {
    Notes notes;
    for (const One& one : all) {
      if (one.id > 0 && !one.noted) notes.numbers.emplace_back(one.id, one.seq);
    }
    notes.forgotten = forgotten;
    next += std::ssize(forgotten);
    return notes;
  }
  void noted(const Notes& notes) {
    for (const std::int64_t seq : notes.forgotten) forgotten.erase(seq);
    for (const auto& [id, seq] : notes.numbers) {
      One* const one = find(seq);
      if (one != nullptr && one->id == id) {
        one->noted = true;
      } else {
        forgotten.insert(seq);
      }
    }
  }
  void hand_out(const Numbers& picks) {
    for (const auto& [id, seq] : picks) {
      find(seq)->held = true;
      highest = std::max(highest, id);
    }
  }
  std::int64_t settle(std::int64_t id, bool done) {
    for (const One& one : all) {
      if (!one.held || one.id != id) continue;
      const std::int64_t seq = one.seq;
      if (!one.present) early.insert(seq);
      take(seq, done);
      return seq;
    }
    return 0;
  }
  void drop_until(std::int64_t last) {
    dropped = std::max(dropped, last);
    for (const std::int64_t seq : seqs()) {
      if (seq <= last) end_or_take(seq, How::dropped);
    }
  }
  void close(bool everything) {
    closed = true;
    for (const std::int64_t seq : seqs()) {
      if (everything || !find(seq)->held) end_or_take(seq, How::back);
    }
  }
  void give_up_adopted() {
    for (const std::int64_t seq : seqs()) {
      One& one = *find(seq);
      if (one.id > 0 && one.id < adopted && !std::exchange(one.renewed, false)) forget(seq);
    }
  }
  void renew(std::int64_t id) {
    for (One& one : all) one.renewed = one.renewed || (one.held && one.id == id);
  }

  std::size_t held() const { return static_cast<std::size_t>(std::ranges::count(all, true, &One::held)); }
  std::vector<std::int64_t> seqs() const {
    std::vector<std::int64_t> seqs;
    for (const One& one : all) seqs.push_back(one.seq);
    std::ranges::sort(seqs);
    return seqs;
  }

  struct One {
    explicit One(std::int64_t seq) : seq(seq) {}
    std::int64_t seq;
    std::int64_t id = 0;
    std::int64_t expires = 0;
    bool present = true;
    bool noted = false;
    bool held = false;
    bool suspect = false;
    bool renewed = false;
    int restarts = 0;
  };
  std::list<One> all;
  std::multimap<std::int64_t, How> ended;
  std::set<std::int64_t> early;
  std::set<std::int64_t> forgotten;
  std::int64_t next;
  std::int64_t highest;
  std::int64_t top = 0;
  std::int64_t arrived = 0;
  std::int64_t adopted = 0;
  std::int64_t dropped = 0;
  bool others = false;
  bool polled = false;
  bool closed = false;

 private:
  One* find(std::int64_t seq) {
    const auto place = std::ranges::find(all, seq, &One::seq);
    return place == all.end() ? nullptr : &*place;
  }
  void take(std::int64_t seq, bool done) {
    const One* const one = find(seq);
    if (one == nullptr) return;
    if (one->noted && !done) forgotten.insert(seq);
    std::erase_if(all, [seq](const One& other) { return other.seq == seq; });
  }
  void end(std::int64_t seq, How how) {
    if (find(seq)->present) {
      ended.emplace(seq, how);
    } else {
      early.insert(seq);
    }
    take(seq, how == How::done);
  }
  void end_or_take(std::int64_t seq, How how) {
    if (find(seq)->present) ended.emplace(seq, how);
    take(seq, false);
  }
  void forget(std::int64_t seq) {
    One& one = *find(seq);
    if (one.id == 0) return;
    if (!one.present) return take(seq, false);
    if (one.noted) forgotten.insert(seq);
    one.id = 0;
    one.noted = one.held = false;
  }
  void restart_of_bot() {
    for (const std::int64_t seq : seqs()) {
      One& one = *find(seq);
      if (!one.held) continue;
      if (!one.present) {
        take(seq, false);
        continue;
      }
      one.held = false;
      ++one.restarts;
      if (one.suspect && one.restarts >= 3) {
        end(seq, How::crashed);
      } else if (!one.suspect && one.restarts >= 2) {
        one.suspect = true;
        one.restarts = 0;
      }
    }
  }
};

}  // namespace tgkeep::test
