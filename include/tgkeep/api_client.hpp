#pragma once
// The Bot API client, for programs that put the parts together themselves.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tgkeep/api.hpp>
#include <tgkeep/error.hpp>
#include <tgkeep/id.hpp>
#include <tgkeep/time.hpp>
#include <type_traits>

namespace tgkeep {

/// How long a call may take that names no timeout of its own.
class ApiTimeouts {
 public:
  /// With the methods that are known to be slow: getFile (a server of one's own fetches the file first) 10
  /// minutes, setWebhook and what sends media 1 minute (Telegram may fetch them by URL).
  ApiTimeouts();
  Duration usual = std::chrono::seconds(30);
  Duration upload = std::chrono::minutes(10);            ///< of a call with files
  Duration poll_margin = std::chrono::seconds(10);       ///< of getUpdates, on top of its own `timeout`
  Duration download = std::chrono::seconds(60);          ///< of a download: without a byte
  std::map<std::string, Duration, std::less<>> methods;  ///< by name; go before `usual`, not before `upload`

  /// What `request` may take: its own timeout if it has one.
  Duration of(const ApiRequest& request) const;
};

/// Where a bot's API is, and the way there.
class ApiOptions {
 public:
  explicit ApiOptions(std::string token) : token(std::move(token)) {}
  std::string token;                              ///< from @BotFather; never logged
  std::string root = "https://api.telegram.org";  ///< without a slash at the end
  bool test_environment = false;                  ///< Telegram's test servers
  /// `http://host:port`, `https://…`, `socks5h://user:password@host:port` and what else libcurl takes; "" =
  /// none. Variables of the environment are not read.
  std::string proxy;
  std::string ca_file;         ///< PEM certificates to trust instead of the system's; "" = the system's
  bool http2 = true;           ///< over TLS, if the server offers it: all calls share a connection
  long max_connections = 100;  ///< further calls wait for a free one
  ApiTimeouts timeouts;
};

/// How many bytes were downloaded, or why not all.
using DownloadResult = boost::system::result<std::uint64_t, ApiError>;

/// Takes the next piece of a download (at most some 64 KiB); the next comes when it has returned. Throwing
/// breaks the download off, and comes out of it.
using DownloadTaker = std::function<asio::awaitable<void>(std::string piece)>;

/// One bot's Bot API over HTTP. Everything on the loop's thread. Destroy it when no call runs.
class ApiClient : public Api {
 public:
  /// Downloads a file by the `file_path` that getFile gave. As large as it may be, only a piece of it is in
  /// memory. Cancellable.
  virtual asio::awaitable<DownloadResult> download(std::string file_path, DownloadTaker taker) = 0;
  /// Downloads it to `path`, by way of `path`.part, which is removed when it does not come to its end.
  virtual asio::awaitable<DownloadResult> download_to(std::string file_path, std::string path) = 0;
};

/// A client with connections of its own, on `loop`; used on its thread. bad_config when the token has not the
/// shape of one. Destroy it when no call runs.
Result<std::unique_ptr<ApiClient>> make_api(const asio::any_io_executor& loop, ApiOptions options);

/// The bot a token belongs to: its user id. bad_config as `make_api`.
Result<BotId> bot_of(const ApiOptions& options);

static_assert(!std::is_aggregate_v<ApiOptions> && !std::is_aggregate_v<ApiTimeouts>);

}  // namespace tgkeep
