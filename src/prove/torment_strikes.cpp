// What is done to the bot, and put right again.

#include <signal.h>

#include <algorithm>
#include <tgkeep/update.hpp>
#include <utility>

#include "prove/face_bot.hpp"
#include "prove/torment.hpp"

namespace tgkeep::prove {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

class Choice {
 public:
  constexpr Choice(Nemesis nemesis, int weight) : nemesis(nemesis), weight(weight) {}
  Nemesis nemesis;
  int weight;
};

constexpr std::array kChoices{
    Choice(Nemesis::kill, 38),           Choice(Nemesis::kill_at_write, 14),
    Choice(Nemesis::freeze, 7),          Choice(Nemesis::stop, 7),
    Choice(Nemesis::stop_storm, 4),      Choice(Nemesis::disk_full, 7),
    Choice(Nemesis::sync_fails, 5),      Choice(Nemesis::receiver_killed, 6),
    Choice(Nemesis::receiver_frozen, 4), Choice(Nemesis::clock_forward, 4),
    Choice(Nemesis::clock_back, 4),
};

constexpr std::int64_t kMostForward = 40LL * 3600 * 1000;  // within the 48 h that ids are remembered
constexpr double kAgain = 0.01;
constexpr seconds kFloodWait{60};
constexpr std::uint64_t kTwice = 10;  // of a thousand webhook requests

}  // namespace

void Torment::script_faults() {
  account_->queue.send_confirmed_again(kAgain);
  server_->set_faults([this](const emulator::CallRecord& record) { return choose_fault(record); });
  server_->set_webhook_faults([this](const emulator::WebhookRecord& record) {
    const std::uint64_t roll = stable_hash(std::to_string(record.update.value()), options_.seed) % 1000;
    if (calm_ || roll >= kTwice) return emulator::WebhookFault::none;
    strikes_.add(Nemesis::sent_twice);
    return emulator::WebhookFault::twice;
  });
}

emulator::Fault Torment::choose_fault(const emulator::CallRecord& record) {
  using emulator::Fault;
  const bool is_poll = record.method == "getUpdates";
  if (record.chat == kFloodedChat) return Fault::flood(kFloodWait);
  // Nothing else: what a setWebhook meets would only make the bot wait.
  if (calm_ || (!is_poll && record.method != "sendMessage")) return Fault();
  if (has_face() && !is_poll) return choose_call_fault();
  const std::int64_t roll = dice_.between(0, is_poll ? 199 : 999);
  if (roll == 0) {
    strikes_.add(Nemesis::connection_reset);
    return Fault::hang_up();
  }
  if (roll == 1) {
    strikes_.add(Nemesis::answer_lost);
    return Fault::hang_up_after();
  }
  if (roll == 2) {
    strikes_.add(Nemesis::server_error);
    return Fault::status(502);
  }
  if (roll == 3) {
    strikes_.add(Nemesis::flood);
    return Fault::flood(seconds(1));
  }
  if (roll == 4) {
    strikes_.add(Nemesis::answer_late);
    return Fault::late_answer(dice_.between(milliseconds(50), milliseconds(1000)));
  }
  return Fault();
}

void Torment::later(Duration low, Duration high, std::function<void()> act) {
  later_.emplace_back(clock_.mono() + dice_.between(low, high), std::move(act));
}

void Torment::catch_up() {
  const MonoTime now = clock_.mono();
  for (std::size_t i = 0; i < later_.size();) {
    if (later_[i].at > now) {
      ++i;
      continue;
    }
    const std::function<void()> act = std::move(later_[i].act);
    later_.erase(later_.begin() + static_cast<std::ptrdiff_t>(i));
    act();
  }
  ControlPage& page = **control_;
  if (std::exchange(full_seen_, page.found_full.load()) != page.found_full) strikes_.add(Nemesis::disk_full);
}

Result<void> Torment::strike() {
  const MonoTime now = clock_.mono();
  if (now < next_strike_ || !bot_) return {};
  next_strike_ = now + dice_.between(milliseconds(100), milliseconds(1800));
  int roll = static_cast<int>(dice_.between(0, 99));
  for (const Choice& choice : kChoices) {
    roll -= choice.weight;
    if (roll < 0) return strike(choice.nemesis);
  }
  return {};
}

Result<void> Torment::strike(Nemesis nemesis) {
  // What a bot that polls has in hand is known to the face alone: it dies as often as the face.
  const bool polls = has_face() && options_.workload.has_poison();
  if (polls && nemesis == Nemesis::kill && dice_.chance(0.4)) nemesis = Nemesis::receiver_killed;
  switch (nemesis) {
    case Nemesis::kill:
      strikes_.add(nemesis);
      kill();
      break;
    case Nemesis::kill_at_write:
      (*control_)->die_at = (*control_)->writes + dice_.between(1, 80);
      break;
    case Nemesis::freeze:
      if (stopping_ != Stopping::no) break;
      strikes_.add(nemesis);
      bot_->signal(SIGSTOP);
      later(milliseconds(50), milliseconds(1500), [this] {
        if (bot_) bot_->signal(SIGCONT);
      });
      break;
    case Nemesis::stop:
      stop(false);
      break;
    case Nemesis::stop_storm:
      stop(true);
      for (int again = 0; again < 3; ++again) {
        later(milliseconds(1), milliseconds(200), [this] {
          if (bot_ && stopping_ == Stopping::storm) bot_->signal(SIGTERM);
        });
      }
      break;
    case Nemesis::disk_full:
      fill_disk();
      break;
    case Nemesis::sync_fails:
      break_disk();
      break;
    case Nemesis::receiver_killed:
      if (!receiver_) break;
      strikes_.add(nemesis);
      receiver_.reset();
      if (has_face()) {
        ++kills_;
        ++deaths_;
      }
      later(milliseconds(0), milliseconds(2000), [this] {
        const Result<void> started = start_receiver();
        if (!started) promises_.broken(Promise::bounded_recovery, started.error().text());
      });
      break;
    case Nemesis::receiver_frozen:
      if (!receiver_) break;
      strikes_.add(nemesis);
      receiver_->signal(SIGSTOP);
      later(milliseconds(50), milliseconds(1500), [this] {
        if (receiver_) receiver_->signal(SIGCONT);
      });
      break;
    case Nemesis::clock_forward:
    case Nemesis::clock_back:
      set_clock(nemesis == Nemesis::clock_forward);
      break;
    default:
      break;
  }
  return {};
}

void Torment::kill() {
  if (!bot_) return;
  bot_.reset();
  ++kills_;
  if (!has_face()) ++deaths_;
}

void Torment::fill_disk() {
  ControlPage& page = **control_;
  if (page.disk != ControlPage::Disk::fine) return;
  page.disk = ControlPage::Disk::full;
  later(milliseconds(50), milliseconds(1200), [this, &page] {
    last_full_ = clock_.mono();
    if (page.disk == ControlPage::Disk::full) page.disk = ControlPage::Disk::fine;
  });
}

void Torment::break_disk() {
  ControlPage& page = **control_;
  if (page.disk != ControlPage::Disk::fine) return;
  page.disk = ControlPage::Disk::sync_fails;
  later(seconds(2), seconds(3), [&page] {
    if (page.disk == ControlPage::Disk::sync_fails) page.disk = ControlPage::Disk::fine;
  });
}

void Torment::set_clock(bool forward) {
  ControlPage& page = **control_;
  const Duration step = forward ? dice_.between(minutes(1), hours(3)) : dice_.between(minutes(1), hours(1));
  const std::int64_t by = std::chrono::duration_cast<milliseconds>(step).count();
  if (forward && clock_sum_ + by > kMostForward) return;
  strikes_.add(forward ? Nemesis::clock_forward : Nemesis::clock_back);
  if (forward) {
    clock_sum_ += by;
    page.clock_offset += by;
    return;
  }
  // Set right again soon: until then, what was to be tried again waits for the old time to come back.
  page.clock_offset -= by;
  later(milliseconds(200), seconds(3), [&page, by] { page.clock_offset += by; });
}

void Torment::calm_down() {
  calm_ = true;
  account_->queue.send_confirmed_again(0);
  if (!control_) return;
  for (Later& one : later_) one.at = clock_.mono();
  catch_up();
  ControlPage& page = **control_;
  page.disk = ControlPage::Disk::fine;
  page.die_at = 0;
}

}  // namespace tgkeep::prove
