#include "http/body_pull.hpp"

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

#include "words/exception_text.hpp"

namespace tgkeep::http {

BodyPull::BodyPull(asio::any_io_executor loop, BodySource source, std::optional<std::uint64_t> length,
                   std::function<void()> changed)
    : loop_(std::move(loop)), source_(std::move(source)), left_(length), changed_(std::move(changed)) {}

BodyPull::Step BodyPull::give(char* to, std::size_t size, std::size_t& given) {
  given = 0;
  if (!failure_.empty()) return Step::broken;
  if (at_ == piece_.size()) {
    if (ended_) return check_length();
    if (!pulling_) ask();
    return Step::wait;
  }
  given = std::min(size, piece_.size() - at_);
  // More than was announced would be taken for the next request.
  if (left_ && given > *left_) {
    failure_ = "its body is longer than its length";
    return Step::broken;
  }
  if (left_) *left_ -= given;
  std::copy_n(piece_.data() + at_, given, to);
  at_ += given;
  if (at_ == piece_.size()) std::exchange(piece_, std::string()), at_ = 0;
  return Step::some;
}

BodyPull::Step BodyPull::check_length() {
  if (left_.value_or(0) == 0) return Step::end;
  failure_ = "its body is shorter than its length";
  return Step::broken;
}

void BodyPull::ask() {
  if (stopped_) return;
  pulling_ = true;
  auto ended = [self = shared_from_this()](const std::exception_ptr&) {
    self->pulling_ = false;
    if (self->changed_) self->changed_();
  };
  asio::co_spawn(loop_, pull(shared_from_this()),
                 asio::bind_cancellation_slot(cancel_.slot(), std::move(ended)));
}

// As in a TaskGroup: Asio 1.81 throws out of the loop itself when a coroutine is cancelled that has not
// started yet, or is seen as cancelled when it ends.
asio::awaitable<void> BodyPull::pull(std::shared_ptr<BodyPull> self) {
  self->started_ = true;
  try {
    if (!self->stopped_) co_await self->pull_one();
  } catch (...) {
    self->failure_ = "its body broke off: " + words::text_of(std::current_exception());
  }
  self->started_ = false;
  co_await asio::this_coro::throw_if_cancelled(false);
}

asio::awaitable<void> BodyPull::pull_one() {
  asio::awaitable<std::string> work = source_();
  std::string piece = co_await std::move(work);
  ended_ = piece.empty();
  piece_ = std::move(piece);
  at_ = 0;
}

void BodyPull::nudge() {
  asio::post(loop_, [self = shared_from_this()] {
    if (self->changed_) self->changed_();
  });
}

void BodyPull::stop() {
  stopped_ = true;
  if (pulling_ && started_) cancel_.emit(asio::cancellation_type::terminal);
}

void BodyPull::abandon() {
  changed_ = nullptr;
  stop();
}

}  // namespace tgkeep::http
