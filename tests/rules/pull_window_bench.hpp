#pragma once
// A PullWindow, and what a bot gets and ends there.

#include <gtest/gtest.h>

#include <algorithm>

#include "rules/pull_window.hpp"

namespace tgkeep::test {

using rules::PullWindow;
using How = PullWindow::How;
using Arrival = PullWindow::Arrival;
using Ready = PullWindow::Ready;
using Ended = PullWindow::Ended;
using Ids = std::vector<std::int64_t>;

inline const WallTime kNow = from_millis(1'767'225'600'000);

class PullWindowBench : public testing::Test {
 protected:
  void come(std::int64_t from, std::int64_t to) {
    for (std::int64_t seq = from; seq <= to; ++seq) {
      EXPECT_EQ(window.arrive(Seq(seq), 100, std::nullopt), Arrival::waits);
    }
  }
  /// The numbers of what is handed out.
  Ids hand_out(std::size_t limit = 100, std::size_t bytes = 1 << 20) {
    const PullWindow::Limits limits(limit, bytes, ahead);
    window.choose(limits, now, ended);
    const auto notes = window.to_note();
    noted = static_cast<std::size_t>(std::ranges::count(notes, false, &PullWindow::Note::forgotten));
    forgotten = notes.size() - noted;
    window.noted(notes);
    const auto picks = window.choose_noted(limits, now, ended);
    fresh = window.handed_out(picks);
    Ids ids;
    for (const auto& pick : picks) ids.push_back(pick.id.value());
    return ids;
  }
  /// A whole getUpdates.
  Ids get(std::int64_t offset, std::size_t limit = 100) {
    restarted = window.poll(offset, settles, ended);
    return hand_out(limit);
  }
  /// What ended since the last call, by seq.
  Ids taken(How how) {
    Ids seqs;
    for (const Ended& one : ended) {
      EXPECT_EQ(one.how, how) << "seq " << one.seq.value();
      seqs.push_back(one.seq.value());
    }
    ended.clear();
    return seqs;
  }
  Ids done() { return taken(How::done); }

  PullWindow window{2, 3};
  WallTime now = kNow;
  bool settles = false;
  std::size_t ahead = 0;
  // Of the last hand-out:
  bool restarted = false;
  std::size_t noted = 0;
  std::size_t forgotten = 0;
  std::size_t fresh = 0;
  std::vector<Ended> ended;
};

}  // namespace tgkeep::test
