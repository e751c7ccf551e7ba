#pragma once
// A bot's HTTP server on a thread of its own, for tests whose gateway is another process.

#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "http/server.hpp"

namespace tgkeep::test {

/// All from the test's thread. Waits give up (throw) after a minute.
class ReceiverThread {
 public:
  using Script = std::function<http::ServerReply(const http::ServerRequest&)>;
  /// `script` answers; it runs on the receiver's thread. Port 0: any free one.
  explicit ReceiverThread(Script script, int port = 0);
  ~ReceiverThread();
  ReceiverThread(const ReceiverThread&) = delete;
  ReceiverThread& operator=(const ReceiverThread&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()) + "/bot"; }
  /// Returns the request with this number (from 0) when it has arrived.
  http::ServerRequest request(std::size_t index);
  std::size_t count() const;

 private:
  boost::asio::awaitable<http::ServerReply> answer(http::ServerRequest request);

  boost::asio::io_context io_{1};
  Script script_;
  std::unique_ptr<http::Server> server_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<http::ServerRequest> requests_;  // by mutex_

  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  std::thread thread_;
};

/// Sends one POST and waits for the answer.
http::ClientResponse post(const std::string& url, const http::Headers& headers, std::string body);
/// One with another method and no body.
http::ClientResponse get(const std::string& url);

/// A port of this machine that nobody listens on now.
int free_port();

}  // namespace tgkeep::test
