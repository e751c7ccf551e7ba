#pragma once
// A poller with a fake API and a fake store, in virtual time.

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <tgkeep/long_poll.hpp>

#include "loop/virtual_clock.hpp"
#include "rooms/source/fake_api.hpp"
#include "rooms/source/fake_store.hpp"

namespace tgkeep::test {

inline std::string update(std::int64_t id, const std::string& text = "x") {
  return "{\"update_id\":" + std::to_string(id) + ",\n\"message\":{\"chat\":{\"id\":1},\"text\":\"" + text +
         "\"}}";
}

/// An answer of getUpdates with these updates.
template <class... Ids>
std::string batch(Ids... ids) {
  std::string text;
  for (const std::int64_t id : {static_cast<std::int64_t>(ids)...})
    text += (text.empty() ? "" : ",") + update(id);
  return "[" + text + "]";
}

/// `ApiType` is FakeApi or another Api built from a clock and a journal.
template <class ApiType>
class PollingOf {
 public:
  PollingOf() : api(clock, journal), store(clock, journal), options(BotId(42)) {}
  ~PollingOf() { stop(); }
  PollingOf(const PollingOf&) = delete;
  PollingOf& operator=(const PollingOf&) = delete;

  /// Starts polling and lets `duration` pass.
  void start(Duration duration = {}) {
    if (!source) source = source::make_long_poll(clock, api, store, options, log());
    ended.reset();
    running = true;
    asio::co_spawn(
        io, source->run(),
        asio::bind_cancellation_slot(cancel.slot(), [this](std::exception_ptr failure, Result<void> result) {
          running = false;
          if (failure) std::rethrow_exception(failure);
          ended = std::move(result);
        }));
    pass(duration);
  }
  void pass(Duration duration) { loop::run_for(io, clock, duration); }
  void stop() {
    if (!running) return;
    cancel.emit(asio::cancellation_type::terminal);
    pass({});
  }
  /// The getUpdates calls' parameters, in order.
  std::vector<std::string> polls() const {
    std::vector<std::string> params;
    for (const auto& line : journal) {
      if (line.starts_with("getUpdates ")) params.push_back(line.substr(11));
    }
    return params;
  }
  SourceStats stats() const { return source->stats(); }

  asio::io_context io;
  loop::VirtualClock clock;
  Journal journal;
  Journal lines;  ///< of the log: level event trouble
  ApiType api;
  FakeStore store;
  source::LongPollOptions options;
  std::unique_ptr<Source> source;
  asio::cancellation_signal cancel;
  std::optional<Result<void>> ended;
  bool running = false;

 private:
  Log log() {
    return Log([this](LogLevel level, std::string_view event, std::span<const LogField> fields) {
      std::string line = std::string(to_string(level)) + " " + std::string(event);
      for (const auto& field : fields) {
        if (field.name() != "bot" && field.name() != "text") line += " " + field.value();
      }
      lines.push_back(line);
    });
  }
};

using Polling = PollingOf<FakeApi>;

}  // namespace tgkeep::test
