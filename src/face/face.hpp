#pragma once
// One bot's Bot API as tgkeep answers it: updates out of the inbox, all else through to Telegram.

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgkeep/clock.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/face_stats.hpp>
#include <tgkeep/log.hpp>
#include <tgkeep/store.hpp>
#include <type_traits>
#include <vector>

#include "face/face_path.hpp"
#include "face/outgoing.hpp"
#include "http/client.hpp"
#include "http/server.hpp"
#include "sink/pull_sink.hpp"

namespace tgkeep::face {

class FaceSettings {
 public:
  FaceSettings() = default;
  /// The bot fetches its updates, or sets a webhook of its own. False: they go elsewhere, and getUpdates and
  /// setWebhook are refused (409) with a word about where.
  bool pulls = false;
  std::string elsewhere;  ///< "push to 127.0.0.1:3000", for that word
  /// The folder of the bot's store, where its own webhook and its kinds are remembered; "" = only in memory.
  std::string folder;
  Duration lease{};  ///< PullSettings::lease
  Duration push_timeout = std::chrono::seconds(60);
  /// What the configuration asks Telegram for; what the bot asks for comes on top. Absent: the bot alone
  /// decides.
  std::optional<std::vector<std::string>> allowed_updates;
  OutgoingOptions outgoing{std::string()};
};

/// Of the rooms around it, which must outlive it.
class FaceServices {
 public:
  FaceServices() = default;
  Clock* clock = nullptr;
  Store* store = nullptr;
  http::Client* api_client = nullptr;   ///< to Telegram
  http::Client* push_client = nullptr;  ///< to the bot's own webhook
  /// Which addresses `push_client` connects to, so that setWebhook can say it at once. Absent: all.
  http::AddressFilter push_allowed;
  /// Whether the face itself listens there, which no update may be pushed to. Absent: nowhere.
  std::function<bool(std::string_view address, std::uint16_t port)> is_own_place;
  /// Tells the source which kinds to ask for; also called by `make_face`, with what is remembered. Absent:
  /// nobody is told.
  std::function<void(std::vector<std::string>)> allow;
  /// What Telegram still holds is to be given up, too (drop_pending_updates). Absent: it is not.
  std::function<asio::awaitable<Result<void>>()> drop_upstream;
};

/// Everything on the loop's thread. Destroy it when no request runs.
class Face {
 public:
  virtual ~Face() = default;
  /// Answers a request whose token is this bot's.
  virtual asio::awaitable<http::ServerReply> answer(FacePath path, http::ServerRequest request) = 0;
  /// Where the inbox's runner delivers to, if the face pulls: what is pulled, or the bot's own webhook.
  virtual Sink& sink() = 0;
  /// The process stops: nothing more is handed out, polls end; confirming goes on.
  virtual void wind_down() = 0;
  virtual FaceStats stats() const = 0;

 protected:
  Face() = default;
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;
};

/// bad_config or store_unusable when what was remembered can't be read.
Result<std::unique_ptr<Face>> make_face(const asio::any_io_executor& loop, FaceServices services,
                                        FaceSettings settings, const Log& log);

static_assert(!std::is_aggregate_v<FaceSettings> && !std::is_aggregate_v<FaceServices>);

}  // namespace tgkeep::face
