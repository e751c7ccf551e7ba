#include "runner/report.hpp"

#include "words/exception_text.hpp"
#include "words/millis_text.hpp"

namespace tgkeep::runner {

std::string timed_out_text(Duration timeout, const std::string& what) {
  const double seconds = std::chrono::duration<double>(timeout).count();
  std::string number = std::to_string(seconds);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return "timed out after " + number + " s: " + what;
}

namespace {

std::string_view word_of(Settlement::Kind kind) {
  switch (kind) {
    case Settlement::Kind::done:
      return "done";
    case Settlement::Kind::retry:
      return "retry";
    case Settlement::Kind::dead:
      return "dead";
    case Settlement::Kind::release:
      return "postponed";
    case Settlement::Kind::doubt:
      return "in_doubt";
  }
  return "unknown";
}

}  // namespace

void log_delivery(const Log& log, const Delivery& delivery, const Settlement& settlement, bool cut_off,
                  Duration waited, Duration took) {
  const Item& item = delivery.item;
  const bool is_cut = cut_off && settlement.kind == Settlement::Kind::release;
  Log line = log;
  if (!settlement.reason.empty()) line = line.with(LogField("reason", settlement.reason));
  if (!settlement.error.empty()) line = line.with(LogField("error", settlement.error));
  line.info("delivery", {{"queue", to_string(item.queue)},
                         {"seq", item.seq.value()},
                         {"update_id", item.update_id.value()},
                         {"kind", item.kind},
                         {"key", item.keys.empty() ? std::string() : item.keys.front()},
                         {"attempt", item.attempt},
                         {"outcome", is_cut ? "cut_off" : word_of(settlement.kind)},
                         {"waited_ms", words::millis_text(waited)},
                         {"ms", words::millis_text(took)}});
}

InFlight show(const Delivery& delivery, Duration running, bool stuck) {
  const Item& item = delivery.item;
  InFlight one;
  one.seq = item.seq;
  one.update_id = item.update_id;
  one.kind = item.kind;
  if (!item.keys.empty()) one.key = item.keys.front();
  one.attempt = item.attempt;
  one.running = running;
  one.stuck = stuck;
  return one;
}

namespace {

template <class Handler, class What>
void call(const Handler& handler, const What& what, std::string_view name, const Log& log) {
  if (!handler) return;
  try {
    handler(what);
  } catch (...) {
    log.error("callback_failed", {{"callback", name}, {"error", words::text_of(std::current_exception())}});
  }
}

}  // namespace

void report(const FailureHandler& handler, const DeliveryFailure& failure, const Log& log) {
  call(handler, failure, "on_error", log);
}

void report(const TimeoutHandler& handler, const InFlight& overdue, const Log& log) {
  call(handler, overdue, "on_timeout", log);
}

}  // namespace tgkeep::runner
