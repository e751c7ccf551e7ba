#pragma once
// Answers what operators, the dashboard and Prometheus ask, as docs/admin_api.md says: an HTTP request in, a
// reply out, whoever carries them.

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tgkeep/log.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>
#include <vector>

#include "admin/premises.hpp"
#include "http/server.hpp"

namespace tgkeep::admin {

/// A file of the dashboard. The bytes live as long as the desk.
class Asset {
 public:
  Asset(std::string path, std::string content_type, std::string_view bytes)
      : path(std::move(path)), content_type(std::move(content_type)), bytes(bytes) {}
  std::string path;  ///< as asked for: `/` for the page, `/app.js`
  std::string content_type;
  std::string_view bytes;
};

class DeskOptions {
 public:
  DeskOptions() = default;
  std::string version = "0";  ///< of tgkeep
  /// Whether the raw bytes of an update or a call concern a person or (`chat`) a chat. For erasing; called on
  /// a thread of the store's. Absent: only ordering keys tell.
  std::function<bool(std::string_view body, std::int64_t id, bool chat)> concerns;
  /// A bot that polls is not ready when its last good poll is older.
  Duration ready_age = std::chrono::minutes(3);
  std::vector<Asset> assets;  ///< of the dashboard
  Log log;
};

/// Everything on the loop's thread. `premises` outlives it.
class Desk {
 public:
  Desk(Premises& premises, DeskOptions options);
  /// `close` it before.
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  /// Never throws for what a stranger sends; may be cancelled. A reply with a `stream` must not outlive the
  /// desk.
  asio::awaitable<http::ServerReply> answer(http::ServerRequest request);
  /// Whether this path, as sent, holds nothing secret: the dashboard's files and the health of the process.
  bool is_public(std::string_view raw_path) const;
  /// Ends replay jobs, between two batches. Streams end with the server that carries them.
  asio::awaitable<void> close();

 private:
  class Rooms;
  std::unique_ptr<Rooms> rooms_;
};

static_assert(!std::is_aggregate_v<Asset> && !std::is_aggregate_v<DeskOptions>);

}  // namespace tgkeep::admin
