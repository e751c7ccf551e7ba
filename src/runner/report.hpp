#pragma once
// Tells the embedder what went wrong. Nothing that its handlers throw gets past here.

#include <exception>
#include <string>
#include <tgkeep/log.hpp>
#include <tgkeep/runner.hpp>

namespace tgkeep::runner {

/// "timed out after 600 s: what it threw".
std::string timed_out_text(Duration timeout, const std::string& what);

/// One line for a delivery that ended: what becomes of the item, how long it had waited since its receipt,
/// how long it took. Never a body.
void log_delivery(const Log& log, const Delivery& delivery, const Settlement& settlement, bool cut_off,
                  Duration waited, Duration took);

InFlight show(const Delivery& delivery, Duration running, bool stuck);

void report(const FailureHandler& handler, const DeliveryFailure& failure, const Log& log);
void report(const TimeoutHandler& handler, const InFlight& overdue, const Log& log);

}  // namespace tgkeep::runner
