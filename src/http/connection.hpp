#pragma once
// One accepted connection: reads requests, hands them to the handler one at a time, writes the answers.

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/request_reader.hpp"
#include "http/server.hpp"

namespace tgkeep::http {

/// What all connections of one server share.
class ConnectionSetting {
 public:
  ConnectionSetting(ServerOptions options, ServerHandler handler, Log log)
      : options(std::move(options)), handler(std::move(handler)), log(std::move(log)) {}
  ServerOptions options;
  ServerHandler handler;
  Log log;
  bool stopping = false;
};

/// Keeps itself alive from `start` until it has ended.
class Connection final : public std::enable_shared_from_this<Connection> {
 public:
  Connection(asio::ip::tcp::socket socket, std::shared_ptr<const ConnectionSetting> setting);

  /// `ended` is called once, last.
  void start(std::function<void()> ended);
  /// Ends what has waited longer than its timeout. Called now and then, so that requests need no timers.
  void check_deadline(MonoTime now);
  /// Ends after the request being answered, at once when there is none.
  void finish();
  /// Cancels the handler and closes.
  void abort();
  /// Lets go of a coroutine that nothing will resume any more: the loop is going away.
  void abandon();

 private:
  asio::awaitable<void> run(std::shared_ptr<Connection> self);
  asio::awaitable<bool> read_request();
  asio::awaitable<bool> answer(ServerRequest request);
  asio::awaitable<std::optional<ServerReply>> handle(ServerRequest request);
  std::optional<ServerReply> check_head();
  asio::awaitable<void> refuse(ServerReply reply);
  asio::awaitable<void> linger();
  asio::awaitable<bool> write(std::string_view head, std::string_view body);
  asio::awaitable<void> read_ended();
  void start_read();
  void on_read(const boost::system::error_code& error, std::size_t size);
  void set_deadline(Duration timeout);
  void close();

  asio::ip::tcp::socket socket_;
  std::shared_ptr<const ConnectionSetting> setting_;
  std::string peer_;
  RequestReader reader_;
  std::array<char, 8192> chunk_;
  std::string input_;  ///< received, not yet taken by the reader
  MonoTime deadline_ = MonoTime::max();
  bool reading_ = false;  ///< a read is under way; it stays so while a handler runs
  bool handling_ = false;
  bool writing_ = false;
  bool gone_ = false;  ///< the client has hung up, or we have closed
  bool expired_ = false;
  bool aborted_ = false;
  bool served_ = false;  ///< a request has come through whole
  // any_completion_handler of Boost 1.81 moves itself without end.
  using Waiting = asio::async_result<asio::use_awaitable_t<>, void()>::handler_type;
  std::optional<Waiting> waiting_;  ///< the coroutine that waits for the read
  asio::cancellation_signal cancel_;
};

}  // namespace tgkeep::http
