// Polling against the model server, with everything that can go wrong going wrong at random.

#include <gtest/gtest.h>

#include "rooms/source/model_server.hpp"
#include "rooms/source/polling.hpp"
#include "support/random.hpp"

namespace tgkeep::source {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::ModelServer;
using test::PutScript;

using ModelPolling = test::PollingOf<ModelServer>;

class Story {
 public:
  explicit Story(std::uint64_t seed) : random_(seed) {
    polling.api.random.seed(seed);
    polling.api.is_stored = [this](std::int64_t id) { return polling.store.has(id); };
    polling.options.timeout = seconds(50);
  }

  void step() {
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
        polling.api.push(below(30));
        break;
      case 3:
        polling.api.push(below(300));
        break;
      case 4:
        trouble_the_store();
        break;
      case 5:
        polling.stop();
        break;
      case 6:
        polling.api.failure_rate = below(2) == 0 ? 0.4 : 0;
        break;
      case 7:
        if (below(10) == 0) quiet_week();
        break;
      default:
        break;
    }
    if (!polling.running) polling.start();
    polling.pass(milliseconds(below(8000)));
  }

  void finish() {
    polling.api.failure_rate = 0;
    for (int i = 0; i < 100; ++i) {
      if (!polling.running) polling.start();
      if (polling.api.empty()) break;
      polling.pass(seconds(30));
    }
  }

  ModelPolling polling;

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  void trouble_the_store() {
    for (std::size_t left = 1 + below(3); left > 0; --left) {
      PutScript script{milliseconds(below(3000))};
      const std::size_t end = below(4);
      if (end == 1) script.error = Error(Errc::store_full, "disk full");
      if (end == 2) script.error = Error(Errc::store_broken, "fsync failed");
      script.stored_all_the_same = end == 2 && below(2) == 0;
      polling.store.next_put(std::move(script));
    }
  }

  // Ids start anew anywhere, and often just outside the window in which the server takes the old offset for a
  // confirmation. Inside of it (for one update 1-11 below the offset) no client could save them.
  void quiet_week() {
    finish();
    polling.pass(hours(25));  // a week is only more of the same
    const auto near = -static_cast<std::int64_t>(12 + below(15));
    const auto far = static_cast<std::int64_t>(below(400'000)) - 300'000;
    polling.api.restart_ids(below(3) == 0 ? far : near);
    polling.store.stored.clear();  // remembered for 72 h only, as a real store does
    polling.api.pushed.clear();
    polling.api.push(1);
    finish();
  }

  std::mt19937_64 random_;
};

TEST(LongPollModel, P1_every_update_the_server_deleted_was_stored_before) {
  const std::uint64_t seed = test::Random().seed();
  std::size_t confirmed = 0;
  for (std::uint64_t story = 0; story < 20; ++story) {
    SCOPED_TRACE("TGKEEP_SEED=" + std::to_string(seed + story));
    Story told(seed + story);
    for (int i = 0; i < 150; ++i) told.step();
    told.finish();
    EXPECT_TRUE(told.polling.api.lost.empty()) << *told.polling.api.lost.begin();
    EXPECT_EQ(told.polling.api.expired, 0U);
    for (const std::int64_t id : told.polling.api.pushed) ASSERT_TRUE(told.polling.store.has(id)) << id;
    confirmed += told.polling.api.confirmed;
  }
  EXPECT_GT(confirmed, 1000U);
}

}  // namespace
}  // namespace tgkeep::source
