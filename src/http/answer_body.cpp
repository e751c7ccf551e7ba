#include "http/answer_body.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace tgkeep::http {

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

}  // namespace

AnswerBody::AnswerBody(Client::Multi& multi, ClientRequest request)
    : multi_(multi),
      transfer_(multi.loop(), multi.lend(), std::move(request), multi.options(), Transfer::Body::streamed) {
  if (transfer_.unusable().empty()) multi_.add(transfer_);
}

AnswerBody::~AnswerBody() {
  leave();
  if (transfer_.easy() != nullptr) multi_.give_back(transfer_.take_easy());
}

void AnswerBody::leave() {
  multi_.remove(transfer_);
  transfer_.stop_pulling();
}

bool AnswerBody::has_news() const {
  return transfer_.ended() || (waits_for_head_ ? transfer_.has_head() : transfer_.has_piece());
}

// The timer is cancelled by news; without them it was the coroutine that was.
asio::awaitable<AnswerBody::News> AnswerBody::news() {
  if (has_news()) co_return News::some;
  const auto [error] = co_await transfer_.over().async_wait(kTuple);
  if (has_news()) co_return News::some;
  co_return error ? News::cancelled : News::late;
}

asio::awaitable<ClientResult> AnswerBody::head() {
  if (!transfer_.unusable().empty()) {
    ClientResult refused = transfer_.broken_off(transfer_.unusable());
    co_return refused;
  }
  News news = News::cancelled;
  try {
    news = co_await this->news();
  } catch (const boost::system::system_error&) {
    // Cancelled before it got to wait.
  }
  waits_for_head_ = false;
  if (transfer_.has_head()) {
    ClientResult head = transfer_.take_head();
    co_return head;
  }
  std::string_view why = "the request was cancelled";
  if (news == News::late) why = "it took longer than its timeout";
  ClientResult failed = transfer_.ended() ? transfer_.result() : transfer_.broken_off(why);
  leave();
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  co_await transfer_.pulled_out();
  co_await asio::this_coro::throw_if_cancelled(throws);
  co_return failed;
}

asio::awaitable<PieceResult> AnswerBody::read() {
  if (!broken_) {
    transfer_.over().expires_after(transfer_.timeout());
    const News news = co_await this->news();
    if (news == News::cancelled) throw boost::system::system_error(asio::error::operation_aborted);
    broken_ = news == News::late;
  }
  if (transfer_.has_piece()) {
    PieceResult piece = transfer_.take_piece();
    co_return piece;
  }
  if (broken_) {
    const ClientResult late = transfer_.broken_off("nothing came for its timeout");
    leave();
    co_return late.error();
  }
  const ClientResult whole = transfer_.result();
  if (!whole) co_return whole.error();
  co_return std::string();
}

}  // namespace tgkeep::http
