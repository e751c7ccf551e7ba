// kill -9, a full disk and a failed sync under a webhook, with a real process and a real SQLite file: an
// update that got 2xx is in the store, once (P1, P2, P8, P10).

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "crash/webhook_sender.hpp"
#include "support/process.hpp"
#include "support/random.hpp"
#include "support/run.hpp"

namespace tgkeep::test {
namespace {

constexpr int kConnections = 8;

class WebhookCrashTest : public testing::Test {
 protected:
  WebhookCrashTest() : sender(io) {
    std::string pattern = (std::filesystem::temp_directory_path() / "tgkeep-webhook-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~WebhookCrashTest() override {
    child.reset();
    if (!HasFailure()) std::filesystem::remove_all(folder);
  }

  void spawn() {
    const std::vector<std::string> command{TGKEEP_WEBHOOK_CHILD, folder + "/store"};
    std::map<std::string, std::string> environment;
    if (const char* const mutant = std::getenv("TGKEEP_MUTANT")) environment["TGKEEP_MUTANT"] = mutant;
    child.emplace(command, environment);
  }
  void start() {
    spawn();
    ASSERT_TRUE(child->wait_for_line("port ")) << child->output();
    const std::string& said = child->output();
    sender.set_port(std::stoi(said.substr(said.find("port ") + 5)));
  }
  void make_disk_fail(const std::string& how) {
    child->tell(how + "\n");
    ASSERT_TRUE(child->wait_for_line(how.substr(0, how.find(' ')))) << child->output();
  }
  void send(std::function<bool()> enough = [] { return false; }) {
    sender.send(kConnections, std::move(enough));
  }
  /// Adds ids from 1 on; every tenth comes twice at once, as from a Telegram that lost the answer.
  void add(std::int64_t updates) {
    for (std::int64_t id = 1; id <= updates; ++id) {
      sender.add(id);
      if (id % 10 == 0) sender.add(id);
    }
  }
  void end_child(int expected) {
    child->signal(SIGTERM);
    EXPECT_EQ(child->wait(), expected) << child->output();
  }

  /// Opens the store that no process owns any more: all that was acknowledged is there, nothing twice, and
  /// the sums hold.
  void inspect() {
    loop::RealClock clock(io.get_executor());
    auto opened =
        store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(folder + "/store"), Log());
    ASSERT_TRUE(opened) << opened.error().text();
    Store& store = **opened;
    const Result<void> audited = run(io, store.browser()->audit());
    EXPECT_TRUE(audited) << audited.error().text();
    const QueueCounts inbox = run(io, store.counts()).value().inbox;
    EXPECT_EQ(inbox.stored, inbox.pending + inbox.in_flight + inbox.retrying + inbox.done);
    std::vector<Seq> seqs;
    const LeaseRequest all(Queue::inbox, Seq(0), 1'000'000);
    if (inbox.stored > 0) {
      for (const Head& head : run(io, store.lease(all)).value()) seqs.push_back(head.seq);
    }
    std::map<std::int64_t, int> copies;
    for (const Item& item : run(io, store.begin(Queue::inbox, seqs, Mark::shared)).value())
      ++copies[item.update_id.value()];
    EXPECT_EQ(static_cast<std::size_t>(inbox.stored), copies.size());
    for (const auto& [id, count] : copies) EXPECT_EQ(count, 1) << id;
    for (const std::int64_t id : sender.acknowledged()) EXPECT_TRUE(copies.contains(id)) << "lost " << id;
  }

  asio::io_context io{1};
  WebhookSender sender;
  std::string folder;
  std::optional<Process> child;
};

TEST_F(WebhookCrashTest, P1_P2_P8_any_number_of_kills_loses_no_acknowledged_update_and_stores_none_twice) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  constexpr std::int64_t kUpdates = 1500;
  constexpr int kKills = 12;
  add(kUpdates);
  for (int kills = 0; kills < kKills; ++kills) {
    if (random.chance(0.2)) {  // while it opens the store
      spawn();
    } else {
      start();
      auto left = random.between(1, 2 * kUpdates / kKills);
      send([&] {
        if (--left == 0) child->signal(SIGKILL);
        return left <= 0 && random.chance(0.5);
      });
    }
    child->signal(SIGKILL);
    EXPECT_EQ(child->wait(), -SIGKILL);
  }
  start();
  send();
  EXPECT_TRUE(sender.is_done());
  EXPECT_EQ(sender.acknowledged().size(), static_cast<std::size_t>(kUpdates));
  EXPECT_EQ(sender.odd() + sender.refusals(), 0);
  end_child(0);
  inspect();
}

TEST_F(WebhookCrashTest, P1_P10_a_full_disk_gets_503_never_2xx_and_ends_without_a_restart) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  add(600);
  start();
  for (int round = 0; round < 10; ++round) {
    make_disk_fail("disk_full " + std::to_string(random.between(0, 30)));
    const std::int64_t refused = sender.refusals();
    send([&] { return sender.refusals() >= refused + 20; });
    EXPECT_GT(sender.refusals(), refused);
    const std::size_t acknowledged = sender.acknowledged().size();
    send([&, more = 10]() mutable { return --more == 0; });
    EXPECT_EQ(sender.acknowledged().size(), acknowledged) << "2xx on a full disk";
    make_disk_fail("none");
    auto left = random.between(1, 60);
    send([&] { return --left <= 0; });
  }
  send();
  EXPECT_TRUE(sender.is_done());
  EXPECT_EQ(sender.acknowledged().size(), 600U);
  EXPECT_EQ(sender.odd(), 0);
  end_child(0);
  inspect();
}

TEST_F(WebhookCrashTest, P1_P10_a_failed_sync_ends_the_process_and_nothing_acknowledged_is_lost) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  add(400);
  for (int round = 0; round < 4; ++round) {
    start();
    make_disk_fail("sync_fails " + std::to_string(random.between(0, 15)));
    send();
    EXPECT_FALSE(sender.is_done());
    EXPECT_EQ(child->wait(), 1) << child->output();
  }
  start();
  send();
  EXPECT_TRUE(sender.is_done());
  EXPECT_EQ(sender.acknowledged().size(), 400U);
  EXPECT_EQ(sender.odd(), 0);
  end_child(0);
  inspect();
}

TEST_F(WebhookCrashTest, P1_P9_a_stop_under_load_answers_what_it_has_stored_and_refuses_the_rest) {
  add(600);
  for (int round = 0; round < 3; ++round) {
    start();
    send([&, left = 100]() mutable {
      if (--left == 0) child->signal(SIGTERM);
      return false;
    });
    EXPECT_EQ(child->wait(), 0) << child->output();
  }
  inspect();
}

}  // namespace
}  // namespace tgkeep::test
