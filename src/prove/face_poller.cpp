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
  const std::string words = words_for(end);
  const bool taken = co_await settle(got.number, words);
  if (taken && end != FaceWorker::End::failed) worker_.settled(got.tag);
  --running_;
  room_.notify();
}

// Until it is written. What is not in hand was settled before, or comes again.
asio::awaitable<bool> FacePoller::settle(std::int64_t number, const std::string& how) {
  for (;;) {
    const int status = co_await tell(number, how);
    if (status == 200) co_return true;
    if (status == 404 || status == 409) co_return false;
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

}  // namespace tgkeep::prove
