#include "prove/face_poller.hpp"

#include <boost/json.hpp>
#include <utility>

namespace tgkeep::prove {

namespace json = boost::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr Duration kAgain = milliseconds(20);
constexpr std::size_t kBatch = 20;
constexpr std::size_t kAtOnce = 60;
constexpr std::size_t kRemembered = 200;
constexpr double kAnswerLost = 0.003;  // the face then keeps it waiting for three seconds

/// The words of a settlement without its update.
std::string words_for(FaceWorker::End end) {
  switch (end) {
    case FaceWorker::End::done:
      return R"("action":"done")";
    case FaceWorker::End::failed:
      return R"("action":"retry","error":"it stumbles")";
    default:
      return R"("action":"dead","reason":"refused")";
  }
}

}  // namespace

FacePoller::FacePoller(const asio::any_io_executor& loop, Clock& clock, http::Client& client,
                       const FacePlace& place, const std::string& token, FaceWorker& worker,
                       loop::TaskGroup& works, std::uint64_t seed)
    : clock_(clock),
      client_(client),
      place_(place),
      worker_(worker),
      works_(works),
      api_(place.root() + "/bot" + token + "/"),
      settling_api_(place.root() + "/settle/bot" + token + "/"),
      dice_(seed),
      room_(loop) {}

asio::awaitable<void> FacePoller::poll_and_confirm() {
  for (;;) {
    const std::vector<Got> batch = co_await fetch(kBatch);
    for (const Got& got : batch) {
      const FaceAttempt attempt;
      co_await worker_.work(got.tag, attempt);
    }
    if (!batch.empty()) offset_ = batch.back().number + 1;
  }
}

asio::awaitable<void> FacePoller::poll_and_settle() {
  settles_ = true;
  works_.spawn("settle again", settle_again());
  for (;;) {
    while (running_ >= kAtOnce) co_await room_.wait();
    const std::vector<Got> batch = co_await fetch(kAtOnce - running_);
    for (const Got& got : batch) {
      ++running_;
      works_.spawn("work", work_and_settle(got));
    }
    if (!batch.empty()) offset_ = batch.back().number + 1;
  }
}

asio::awaitable<std::vector<FacePoller::Got>> FacePoller::fetch(std::size_t limit) {
  http::ClientRequest request("GET", (settles_ ? settling_api_ : api_) + "getUpdates?timeout=5&limit=" +
                                         std::to_string(limit) + "&offset=" + std::to_string(offset_));
  request.timeout = seconds(60);
  const http::ClientResult result = co_await client_.send(std::move(request));
  std::vector<Got> batch;
  if (result.has_error() || result->status != 200) {
    co_await loop::sleep_for(clock_, kAgain);
    co_return batch;
  }
  // As when the answer is lost on its way: it asks for the same again.
  if (dice_.chance(kAnswerLost)) co_return batch;
  batch = read(result->body);
  co_return batch;
}

std::vector<FacePoller::Got> FacePoller::read(const std::string& body) {
  std::vector<Got> batch;
  const json::value answer = json::parse(body);
  for (const json::value& update : answer.at("result").as_array()) {
    // One without a tag can't be told from others: the log misses it, and the checker finds that.
    const std::optional<ProofTag> tag = find_tag(json::serialize(update));
    if (tag) batch.emplace_back(update.at("update_id").to_number<std::int64_t>(), *tag);
  }
  return batch;
}

asio::awaitable<void> FacePoller::work_and_settle(Got got) {
  FaceAttempt attempt;
  attempt.attempt = ++attempts_[got.tag.update];
  const FaceWorker::End end = co_await worker_.work(got.tag, attempt);
  if (end != FaceWorker::End::failed) attempts_.erase(got.tag.update);
  std::string words = words_for(end);
  co_await settle(got.number, std::move(words));
  --running_;
  room_.notify();
}

// Until it is taken. What is not in hand was settled before, or comes again.
asio::awaitable<void> FacePoller::settle(std::int64_t number, std::string how) {
  for (;;) {
    const std::int64_t life = place_.life();
    const int status = co_await tell(number, how);
    if (status == 404 || status == 409) co_return;
    if (status == 200) {
      settled_.emplace_back(number, std::move(how), life);
      if (settled_.size() > kRemembered) settled_.pop_front();
      co_return;
    }
    co_await loop::sleep_for(clock_, kAgain);
  }
}

asio::awaitable<int> FacePoller::tell(std::int64_t number, const std::string& how) {
  http::ClientRequest request("POST", settling_api_ + "tgkeep/settle");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = "{\"update_id\":" + std::to_string(number) + "," + how + "}";
  const http::ClientResult result = co_await client_.send(std::move(request));
  co_return result.has_error() ? 0 : result->status;
}

// A settlement that was taken is durable some milliseconds later: it may die with the face's process. Told
// again to the next one, it ends what that believes to be in the bot's hand.
asio::awaitable<void> FacePoller::settle_again() {
  for (;;) {
    while (settled_.empty() || settled_.front().life == place_.life())
      co_await loop::sleep_for(clock_, kAgain);
    Settled one = std::move(settled_.front());
    settled_.pop_front();
    co_await settle(one.number, std::move(one.how));
  }
}

}  // namespace tgkeep::prove
