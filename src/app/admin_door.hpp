#pragma once
// Opens the desk of a running process to operators.

#include <boost/asio/awaitable.hpp>
#include <tgkeep/gateway.hpp>

#include "admin/desk.hpp"
#include "admin/door.hpp"
#include "app/live_premises.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. `stop` it before destroying it.
class AdminDoor {
 public:
  /// `premises` must outlive it.
  AdminDoor(LivePremises& premises, const AdminOptions& options, const Log& log);

  /// Opens what the options name, which may be nothing. The error says what is in the way, and what to do.
  /// Once the stores are locked: then a socket that is there is nobody's.
  Result<void> open();
  /// Lets requests being answered finish for at most `drain`.
  boost::asio::awaitable<void> stop(Duration drain);

 private:
  LivePremises& premises_;
  AdminOptions options_;
  admin::Desk desk_;
  admin::Door door_;
};

}  // namespace tgkeep::app
