#include "http/client.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

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
  Transfer transfer(multi_->loop(), multi_->lend(), std::move(request), multi_->options());
  if (!transfer.unusable().empty()) {
    ClientResult refused = transfer.broken_off(transfer.unusable());
    co_return refused;
  }
  multi_->add(transfer);
  bool expired = false;
  try {
    if (!transfer.ended()) {
      const auto [error] = co_await transfer.over().async_wait(kTuple);
      expired = !error;
    }
  } catch (const boost::system::system_error&) {
    // Cancelled before this coroutine got to wait.
  }
  std::string_view why = "the request was cancelled";
  if (expired) why = "it took longer than its timeout";
  ClientResult result = transfer.ended() ? transfer.result() : transfer.broken_off(why);
  multi_->remove(transfer);
  multi_->give_back(transfer.take_easy());
  co_return result;
}

}  // namespace tgkeep::http
