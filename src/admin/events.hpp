#pragma once
// GET /api/events: Server-Sent Events for one watcher each.

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "admin/office.hpp"
#include "admin/picture.hpp"
#include "admin/tail.hpp"

namespace tgkeep::admin {

asio::awaitable<http::ServerReply> show_events(Office& office, Inquiry inquiry);

/// Everything on the loop's thread.
class EventFeed {
 public:
  explicit EventFeed(Office& office) : office_(office), tail_(office.premises) {}
  /// The events of the next second; the first at once.
  asio::awaitable<std::string> next();

 private:
  std::string status_event(const Picture& picture) const;

  Office& office_;
  Tail tail_;
  std::optional<Picture> before_;
};

}  // namespace tgkeep::admin
