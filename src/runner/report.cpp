#include "runner/report.hpp"

#include "words/exception_text.hpp"

namespace tgkeep::runner {

std::string timed_out_text(Duration timeout, const std::string& what) {
  const double seconds = std::chrono::duration<double>(timeout).count();
  std::string number = std::to_string(seconds);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return "timed out after " + number + " s: " + what;
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
