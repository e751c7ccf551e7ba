#pragma once
// Every request of a known bot, in the order of arrival.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>

#include "telegram/request_params.hpp"

namespace tgkeep::emulator {

class CallRecord {
 public:
  enum class End : std::uint8_t {
    running,
    answered,  ///< the answer was handed to the connection
    hung_up,   ///< we closed the connection on purpose
    cut_off,   ///< the client hung up, or the server stopped
  };
  CallRecord() = default;

  std::int64_t number = 0;  ///< counted from 1
  BotId bot;
  std::string method;  ///< spelled as documented; as sent when unknown
  telegram::Params params;
  std::int64_t chat = 0;  ///< chat_id, when it is a number
  MonoTime received{};
  bool took_effect = false;
  bool webhook_reply = false;  ///< it came in the answer of a webhook, which never learns what came of it
  End end = End::running;
  int status = 0;      ///< of the answer
  std::string answer;  ///< its body, if that is kept
  std::string fault;   ///< what was done to it; "" = nothing
};

/// A call is at one place from its begin to its end, whichever others leave. The oldest may leave it, see
/// BotServerOptions.
class CallLog {
 public:
  class Place {
   public:
    using value_type = CallRecord;
    using difference_type = std::ptrdiff_t;
    Place() = default;
    explicit Place(std::deque<std::unique_ptr<CallRecord>>::const_iterator at) : at_(at) {}
    const CallRecord& operator*() const { return **at_; }
    const CallRecord* operator->() const { return at_->get(); }
    Place& operator++() {
      ++at_;
      return *this;
    }
    Place operator++(int) { return Place(at_++); }
    bool operator==(const Place& other) const { return at_ == other.at_; }

   private:
    std::deque<std::unique_ptr<CallRecord>>::const_iterator at_;
  };

  CallLog() = default;
  CallRecord& add() { return *calls_.emplace_back(std::make_unique<CallRecord>()); }
  void pop_front() { calls_.pop_front(); }
  /// Those that run stay.
  void clear_ended() {
    std::erase_if(calls_, [](const auto& call) { return call->end != CallRecord::End::running; });
  }
  std::size_t size() const noexcept { return calls_.size(); }
  bool empty() const noexcept { return calls_.empty(); }
  const CallRecord& operator[](std::size_t index) const { return *calls_[index]; }
  const CallRecord& front() const { return *calls_.front(); }
  const CallRecord& back() const { return *calls_.back(); }
  Place begin() const { return Place(calls_.begin()); }
  Place end() const { return Place(calls_.end()); }

 private:
  std::deque<std::unique_ptr<CallRecord>> calls_;
};

static_assert(!std::is_aggregate_v<CallRecord> && !std::is_aggregate_v<CallLog>);

}  // namespace tgkeep::emulator
