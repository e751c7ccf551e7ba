#include "sink/push_sink.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <optional>

#include "sink/push_gate.hpp"
#include "sink/push_judge.hpp"
#include "sink/push_request.hpp"
#include "sink/settle_desk.hpp"

namespace tgkeep::sink {

namespace {

class HttpPushSink final : public PushSink {
 public:
  HttpPushSink(Clock& clock, http::Client& client, PushOptions options, Log log)
      : clock_(clock),
        client_(client),
        options_(std::move(options)),
        gate_(options_.concurrency),
        judge_(options_, std::move(log)),
        desk_(clock, options_.lease) {}

  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override {
    const bool entered = co_await gate_.enter();
    if (!entered) co_return never_sent();
    GatePlace place(gate_);
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    std::optional<SettleDesk::Ticket> ticket;
    std::string settle_url;
    if (options_.accept_202) {
      ticket.emplace(desk_, executor);
      settle_url = options_.settle_url + ticket->token();
    }
    http::ClientRequest request = make_push_request(options_, *delivery, ++requests_, settle_url);
    const http::ClientResult answer = co_await client_.send(std::move(request));
    place.leave();
    // The bot was told that its settlement counts, whatever became of the request.
    if (ticket && ticket->outcome()) co_return std::move(*ticket->outcome());
    if (!answer) {
      const auto state = co_await asio::this_coro::cancellation_state;
      if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error(asio::error::operation_aborted, answer.error().text);
      }
      co_return judge_.unanswered(answer.error());
    }
    if (ticket && answer->status == 202) {
      Outcome outcome = co_await ticket->wait();
      co_return outcome;
    }
    co_return judge_.answered(*answer, clock_.wall());
  }

  asio::awaitable<http::ServerReply> settle(http::ServerRequest request) override {
    SettleReply taken = desk_.answer(request);
    http::ServerReply reply = co_await taken.when_written(clock_);
    co_return reply;
  }

 private:
  // Cancelled in the line: no fault of the update's.
  static Outcome never_sent() {
    return Outcome::postpone(Duration::zero(), "not sent: all allowed requests were open all the time");
  }

  Clock& clock_;
  http::Client& client_;
  PushOptions options_;
  PushGate gate_;
  PushJudge judge_;
  SettleDesk desk_;
  std::uint64_t requests_ = 0;
};

}  // namespace

std::unique_ptr<PushSink> make_push_sink(Clock& clock, http::Client& client, PushOptions options, Log log) {
  return std::make_unique<HttpPushSink>(clock, client, std::move(options), std::move(log));
}

}  // namespace tgkeep::sink
