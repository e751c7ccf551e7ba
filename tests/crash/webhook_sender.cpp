#include "crash/webhook_sender.hpp"

#include "loop/task_group.hpp"
#include "support/run.hpp"

namespace tgkeep::test {

WebhookSender::WebhookSender(asio::io_context& io) : io_(io), client_(io.get_executor()) {}

void WebhookSender::send(int connections, std::function<bool()> enough) {
  over_ = false;
  enough_ = std::move(enough);
  loop::TaskGroup tasks(io_.get_executor(), Log());
  for (int i = 0; i < connections; ++i) tasks.spawn("connection", connection());
  run(io_, tasks.join());
}

asio::awaitable<void> WebhookSender::connection() {
  while (!over_ && !waiting_.empty()) {
    const std::int64_t id = waiting_.front();
    waiting_.pop_front();
    http::ClientRequest request("POST", "http://127.0.0.1:" + std::to_string(port_) + "/hook");
    request.headers.emplace_back("X-Telegram-Bot-Api-Secret-Token", "s3cret");
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = R"({"update_id":)" + std::to_string(id) + R"(,"message":{"chat":{"id":)" +
                   std::to_string(id % 40) + R"(},"text":"x"}})";
    const http::ClientResult answer = co_await client_.send(std::move(request));
    if (answer && answer->status == 200) {
      acknowledged_.insert(id);
    } else {
      waiting_.push_back(id);
      if (!answer) over_ = true;
    }
    if (answer && answer->status != 200) {
      const bool polite =
          answer->status == 503 && http::find_header(answer->headers, "Retry-After") != nullptr;
      ++(polite ? refusals_ : odd_);
    }
    if (enough_()) over_ = true;
  }
}

}  // namespace tgkeep::test
