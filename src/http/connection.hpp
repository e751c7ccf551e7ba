#pragma once
// One accepted connection: reads requests, hands them to the handler one at a time, writes the answers.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http/request_body.hpp"
#include "http/request_reader.hpp"
#include "http/server.hpp"
#include "http/wire.hpp"

namespace tgkeep::http {

/// What all connections of one server share.
class ConnectionSetting {
 public:
  ConnectionSetting(ServerOptions options, ServerHandler handler, Log log)
      : options(std::move(options)), handler(std::move(handler)), log(std::move(log)) {}
  ServerOptions options;
  ServerHandler handler;
  Log log;
  ServerStats stats;  ///< totals; what is open now is counted when asked for
  bool stopping = false;
};

/// Keeps itself alive from `start` until it has ended.
class Connection final : public OpenRequest, public std::enable_shared_from_this<Connection> {
 public:
  enum class Use {
    unproven,  ///< no request has come through whole yet
    idle,      ///< waits for the next one
    busy,      ///< receives, handles or answers one
  };

  Connection(std::shared_ptr<Wire> wire, std::shared_ptr<ConnectionSetting> setting);

  /// `ended` is called once, last.
  void start(std::function<void()> ended);
  /// Ends what has waited longer than its timeout. Called now and then, so that requests need no timers.
  void check_deadline(MonoTime now) { wire_->check_deadline(now); }
  MonoTime deadline() const noexcept { return wire_->deadline(); }
  Use use() const noexcept;
  /// Bytes of memory held for the request in hand and what came behind it, about.
  std::size_t held() const noexcept;
  /// Ends after the request being answered, at once when there is none or the answer is a stream.
  void finish();
  /// Cancels the handler and closes.
  void abort();
  void break_off() override { abort(); }
  /// Lets go of a coroutine that nothing will resume any more: the loop is going away.
  void abandon() { wire_->abandon(); }

 private:
  asio::awaitable<void> run(std::shared_ptr<Connection> self);
  asio::awaitable<bool> greet();
  asio::awaitable<bool> read_request();
  void tell_refusal(int status);
  std::optional<ServerReply> check_head();
  RequestReader::Body wanted_body();
  ServerRequest take_request();
  bool may_go_on() const;
  asio::awaitable<bool> end_body();
  asio::awaitable<void> end_gently();
  asio::awaitable<bool> answer(ServerRequest request);
  asio::awaitable<bool> answer_stream(ServerReply reply, bool bodiless);
  asio::awaitable<std::optional<std::string>> next_piece(const ReplyStream& stream);
  asio::awaitable<void> write_faulty(const ServerReply& reply, std::string bytes);
  asio::awaitable<std::optional<ServerReply>> handle(ServerRequest request);
  asio::awaitable<void> refuse(ServerReply reply);
  asio::awaitable<void> send_refusal(ServerReply reply);
  asio::awaitable<void> linger();
  void make_well_formed(ServerReply& reply) const;
  void hung_up();

  std::shared_ptr<Wire> wire_;
  std::shared_ptr<ConnectionSetting> setting_;
  RequestReader reader_;
  std::shared_ptr<RequestBody> body_;  ///< of the request in hand, if it is streamed
  bool handling_ = false;
  bool streaming_ = false;
  bool aborted_ = false;
  bool served_ = false;  ///< a request has come through whole
  asio::cancellation_signal cancel_;
};

}  // namespace tgkeep::http
