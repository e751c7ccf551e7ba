#pragma once
// Where the desk can be reached: a Unix socket for whoever may open it, and TCP for whoever has the token.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/log.hpp>
#include <type_traits>
#include <vector>

#include "admin/desk.hpp"

namespace tgkeep::admin {

/// The TCP side of the door.
class DoorAddress {
 public:
  DoorAddress(std::string address, std::uint16_t port, std::string token)
      : address(std::move(address)), port(port), token(std::move(token)) {}
  std::string address;  ///< IP address
  std::uint16_t port;   ///< 0: any free one
  std::string token;    ///< 16 characters or more, one word
  /// Host names, without port, by which browsers may come, besides the address itself and localhost: a page
  /// of a stranger whose name leads here is refused.
  std::vector<std::string> names;
};

class DoorOptions {
 public:
  DoorOptions() = default;
  std::string unix_path;           ///< of the socket; "": none
  std::optional<DoorAddress> tcp;  ///< absent: none
};

/// Everything on the loop's thread. `desk` and `clock` outlive it.
class Door {
 public:
  Door(Desk& desk, Clock& clock, DoorOptions options, Log log);
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  /// Opens what the options name, or nothing. The error says which and what to do. Open it when the store's
  /// lock is held: then the socket of whoever was there before is stale.
  Result<void> open(const asio::any_io_executor& loop);
  /// Of the TCP side; 0 when there is none.
  std::uint16_t port() const;
  /// Lets requests being answered finish for at most `drain`; streams end at once.
  asio::awaitable<void> stop(Duration drain);

 private:
  class Guard;
  std::unique_ptr<Guard> guard_;
};

static_assert(!std::is_aggregate_v<DoorAddress> && !std::is_aggregate_v<DoorOptions>);

}  // namespace tgkeep::admin
