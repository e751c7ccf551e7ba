#include "face/conflicts.hpp"

#include <string>

#include "face/reply.hpp"
#include "loop/event.hpp"

namespace tgkeep::face {

namespace {

constexpr Duration kPause = std::chrono::seconds(3);

}  // namespace

asio::awaitable<http::ServerReply> Conflicts::refuse(std::string_view text) {
  const std::string kept(text);
  const MonoTime now = clock_.mono();
  if (next_ && now < *next_) {
    co_await loop::sleep_for(clock_, kPause);
  } else {
    next_ = now + kPause;
  }
  co_return refusal(409, kept);
}

}  // namespace tgkeep::face
