#pragma once
// A pull sink and a way out that do what a test says, and note what they were told.

#include <boost/asio/io_context.hpp>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "face/outgoing.hpp"
#include "face/reply.hpp"
#include "loop/event.hpp"
#include "sink/pull_sink.hpp"

namespace tgkeep::test {

namespace asio = boost::asio;

inline std::shared_ptr<const Delivery> delivery(std::int64_t seq, std::string body = {}) {
  Item item;
  item.seq = Seq(seq);
  item.update_id = UpdateId(1000 + seq);
  item.kind = "message";
  item.body = body.empty() ? R"({"update_id":)" + std::to_string(1000 + seq) + R"(,"message":{}})" : body;
  return std::make_shared<const Delivery>(std::move(item), false);
}

/// Hands out what `give` put in, in its order, each once; waits as long as the request says.
class FakePull final : public sink::PullSink {
 public:
  FakePull(const asio::any_io_executor& loop, Clock& clock) : changed(loop), clock_(clock) {}

  void give(std::int64_t id, std::string body = {}) {
    ready.emplace_back(PullId(id), delivery(id, std::move(body)));
    changed.notify();
  }
  void end_with(sink::PullAnswer::End end) {
    ending = end;
    changed.notify();
  }

  asio::awaitable<sink::PullAnswer> pull(sink::PullRequest request) override {
    requests.push_back(request);
    const MonoTime until = clock_.mono() + request.wait;
    bool in_time = request.wait > Duration::zero();
    while (in_time && ready.empty() && open_now && ending == sink::PullAnswer::End::updates) {
      in_time = co_await changed.wait_until(clock_, until);
    }
    sink::PullAnswer answer(open_now ? ending : sink::PullAnswer::End::closed);
    answer.restarted = std::exchange(restarted, false);
    ending = sink::PullAnswer::End::updates;
    while (answer.end == sink::PullAnswer::End::updates && !ready.empty() &&
           answer.updates.size() < request.limit) {
      answer.updates.push_back(ready.front());
      ready.pop_front();
      ++figures.unconfirmed;
    }
    co_return answer;
  }
  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivered) override {
    deliveries.push_back(delivered->item.seq);
    loop::Event& ended = waiting.emplace_back(co_await asio::this_coro::executor);
    co_await ended.wait();
    co_return Outcome::postpone(Duration::zero(), "closed");
  }
  sink::SettleReply settle(const http::ServerRequest& request) override {
    settled.push_back(request.body);
    if (figures.unconfirmed > 0) --figures.unconfirmed;
    return sink::SettleReply(sink::SettleAnswer::taken());
  }
  void drop_until(Seq last) override { dropped.push_back(last); }
  void close(bool all) override {
    open_now = false;
    closed_all = all;
    changed.notify();
    for (loop::Event& ended : waiting) ended.notify();
  }
  void open() override { open_now = true; }
  PullStats stats() const override { return figures; }

  std::deque<sink::PulledUpdate> ready;
  sink::PullAnswer::End ending = sink::PullAnswer::End::updates;
  bool restarted = false;
  bool open_now = true;
  bool closed_all = false;
  std::vector<sink::PullRequest> requests;
  std::vector<Seq> deliveries;
  std::vector<std::string> settled;
  std::vector<Seq> dropped;
  PullStats figures;
  std::list<loop::Event> waiting;
  loop::Event changed;

 private:
  Clock& clock_;
};

class FakeOutgoing final : public face::Outgoing {
 public:
  asio::awaitable<http::ServerReply> pass(face::Call call) override {
    passed.push_back(call.method);
    co_return face::ok("true");
  }
  asio::awaitable<http::ServerReply> download(face::FacePath path, http::ServerRequest) override {
    files.push_back(path.rest);
    co_return http::ServerReply(200, "file", "application/octet-stream");
  }
  OutgoingStats stats() const override { return {}; }

  std::vector<std::string> passed;
  std::vector<std::string> files;
};

}  // namespace tgkeep::test
