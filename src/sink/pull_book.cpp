#include "sink/pull_book.hpp"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <utility>
#include <vector>

#include "rules/mutant.hpp"

namespace tgkeep::sink {

using rules::PullWindow;

asio::awaitable<bool> PullBook::read() {
  while (!read_ && in_use_) co_await free_.wait();
  if (read_) co_return true;
  const Use use(*this);
  PullId last;
  std::vector<std::pair<PullId, Seq>> open;
  if (handouts_ != nullptr) {
    const auto highest = co_await handouts_->last();
    if (!highest) {
      log_.warning("handouts_unread", {{"error", highest.error().text()}});
      co_return false;
    }
    const auto handouts = co_await handouts_->open();
    if (!handouts) {
      log_.warning("handouts_unread", {{"error", handouts.error().text()}});
      co_return false;
    }
    last = *highest;
    for (const Handout& handout : *handouts) {
      if (handout.at != WallTime()) open.emplace_back(handout.id, handout.seq);
    }
  }
  window_.begin(last, open);
  read_ = true;
  co_return true;
}

asio::awaitable<bool> PullBook::note() {
  const auto notes = window_.to_note();
  if (handouts_ != nullptr && !rules::mutant("pull_number_not_noted")) {
    const Use use(*this);
    std::vector<Handout> handouts;
    const WallTime now = clock_.wall();
    handouts.reserve(notes.size());
    for (const PullWindow::Note& note : notes) {
      handouts.emplace_back(note.id, note.seq, note.forgotten ? WallTime() : now);
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    const auto written = co_await handouts_->note(std::move(handouts));
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
    if (!written) {
      log_.warning("handouts_not_noted", {{"error", written.error().text()}});
      co_return false;
    }
  }
  window_.noted(notes);
  co_return true;
}

asio::awaitable<void> PullBook::note_in_turn() {
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  while (in_use_) co_await free_.wait();
  if (window_.must_note()) co_await note();
}

}  // namespace tgkeep::sink
