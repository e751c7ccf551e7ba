#include "prove/face_hook.hpp"

#include <charconv>
#include <utility>

#include "loop/event.hpp"

namespace tgkeep::prove {

namespace {

constexpr std::string_view kSecret = "the-bot-s-own-secret";
constexpr Duration kAgain = std::chrono::milliseconds(50);

std::int64_t number_in(const http::ServerRequest& request, std::string_view header) {
  const std::string* const text = http::find_header(request.headers, header);
  std::int64_t number = 0;
  if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

}  // namespace

FaceHook::FaceHook(Clock& clock, http::Client& client, const FacePlace& place, std::string token,
                   FaceWorker& worker)
    : clock_(clock), client_(client), place_(place), token_(std::move(token)), worker_(worker) {}

asio::awaitable<void> FaceHook::set(std::uint16_t port) {
  for (;;) {
    http::ClientRequest request("POST", place_.root() + "/bot" + token_ + "/setWebhook");
    request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    request.body = "max_connections=60&secret_token=" + std::string(kSecret) +
                   "&url=http://127.0.0.1:" + std::to_string(port) + "/hook";
    const http::ClientResult result = co_await client_.send(std::move(request));
    if (!result.has_error() && result->status == 200) co_return;
    co_await loop::sleep_for(clock_, kAgain);
  }
}

asio::awaitable<http::ServerReply> FaceHook::serve(http::ServerRequest request) {
  const std::string* const secret = http::find_header(request.headers, "X-Telegram-Bot-Api-Secret-Token");
  const std::optional<ProofTag> tag = find_tag(request.body);
  http::ServerReply reply(403, "{}");
  if (secret == nullptr || *secret != kSecret || !tag) co_return reply;
  FaceAttempt attempt;
  attempt.epoch = number_in(request, "Tgkeep-Epoch");
  attempt.attempt =
      static_cast<std::uint32_t>(std::max<std::int64_t>(1, number_in(request, "Tgkeep-Attempt")));
  // Cancelled when tgkeep hangs up, which it does when it ends.
  const FaceWorker::End end = co_await worker_.work(*tag, attempt);
  reply.status = end == FaceWorker::End::done ? 200 : 500;
  co_return reply;
}

}  // namespace tgkeep::prove
