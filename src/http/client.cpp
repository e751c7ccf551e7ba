#include "http/client.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "http/answer_body.hpp"
#include "http/curl_multi.hpp"

namespace tgkeep::http {

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

}  // namespace

Client::Client(const asio::any_io_executor& loop, ClientOptions options)
    : multi_(std::make_unique<Multi>(loop, std::move(options))) {}

Client::~Client() = default;

void Client::limit_connections(long in_all, long per_host) {
  multi_->limit_connections(in_all, per_host);
}

asio::awaitable<ClientResult> Client::send(ClientRequest request) {
  Transfer transfer(multi_->loop(), multi_->lend(), std::move(request), multi_->options(),
                    Transfer::Body::gathered);
  if (!transfer.unusable().empty()) {
    ClientResult refused = transfer.broken_off(transfer.unusable());
    co_return refused;
  }
  multi_->add(transfer);
  std::string_view why = "the request was cancelled";
  try {
    while (!transfer.ended()) {
      const auto [error] = co_await transfer.over().async_wait(kTuple);
      if (error) continue;
      why = "it took longer than its timeout";
      break;
    }
  } catch (const boost::system::system_error&) {
    // Cancelled: the next thing to wait for says so.
  }
  ClientResult result = transfer.ended() ? transfer.result() : transfer.broken_off(why);
  multi_->remove(transfer);
  // What makes the body may refer to things of our caller.
  transfer.stop_pulling();
  if (transfer.pulling()) {
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await transfer.pulled_out();
    co_await asio::this_coro::throw_if_cancelled(throws);
  }
  multi_->give_back(transfer.take_easy());
  co_return result;
}

asio::awaitable<ClientResult> Client::open(ClientRequest request) {
  const auto body = std::make_shared<AnswerBody>(*multi_, std::move(request));
  ClientResult head = co_await body->head();
  if (head) head->stream = body;
  co_return head;
}

}  // namespace tgkeep::http
