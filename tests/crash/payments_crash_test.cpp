// The payment bot of the examples as a process that is killed again and again: every payment is credited, and
// credited once (P12).

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

#include "crash/payment_desk.hpp"
#include "e2e/temporary_folder.hpp"
#include "loop/real_clock.hpp"
#include "support/process.hpp"
#include "support/random.hpp"
#include "support/run.hpp"

namespace tgkeep::test {
namespace {

constexpr int kKills = 100;
constexpr std::int64_t kUsers = 12;

class PaymentsCrash : public testing::Test {
 protected:
  std::unique_ptr<Process> start() const {
    const std::map<std::string, std::string> environment{{"TGKEEP_TOKEN", desk_.token()},
                                                         {"TGKEEP_API_ROOT", desk_.root()},
                                                         {"TGKEEP_FOLDER", folder_.file("store")}};
    return std::make_unique<Process>(std::vector<std::string>{TGKEEP_PAYMENTS}, environment);
  }

  /// A payment, now and then told of in two updates.
  void pay() {
    static const std::vector<std::string> kCurrencies{"XTR", "EUR", "USD", "JPY"};
    const std::string charge = "charge" + std::to_string(charges_.size());
    const std::int64_t user = random_.between(1, kUsers);
    const std::string& currency = kCurrencies[static_cast<std::size_t>(random_.between(0, 3))];
    const std::int64_t amount = random_.between(1, 1000);
    charges_.insert(charge);
    accounts_[std::to_string(user) + " " + currency] += amount;
    totals_[currency] += amount;
    ++payments_[currency];
    for (int times = random_.chance(0.1) ? 2 : 1; times > 0; --times) {
      desk_.report(charge, user, currency, amount);
      ++updates_;
    }
  }
  void pay_some() {
    for (std::int64_t i = random_.between(1, 12); i > 0; --i) pay();
  }

  void kill(Process& bot) {
    bot.signal(SIGKILL);
    ASSERT_EQ(bot.wait(), -SIGKILL) << bot.output();
  }

  /// What the store says, opened by nobody else.
  void inspect() {
    asio::io_context io;
    loop::RealClock clock(io.get_executor());
    auto store = store::open_sqlite_store(io.get_executor(), clock,
                                          store::SqliteOptions(folder_.file("store")), Log());
    ASSERT_TRUE(store) << store.error().text();
    StoreBrowser& browser = *(*store)->browser();
    const auto audit = run(io, browser.audit());
    EXPECT_TRUE(audit) << audit.error().text();
    const auto counts = run(io, (*store)->counts());
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->inbox.stored, updates_) << "none lost";
    EXPECT_EQ(counts->inbox.done, updates_) << "none given up";
    EXPECT_EQ(counts->outbox.stored, static_cast<std::int64_t>(charges_.size()))
        << "thanks are left once for each";
    const auto expect_rows = [&](const std::string& space, const std::map<std::string, std::int64_t>& rows) {
      for (const auto& [key, amount] : rows) {
        const auto row = run(io, browser.state(BotId(desk_.bot()), space, key));
        ASSERT_TRUE(row) << row.error().text();
        EXPECT_EQ(row->value_or("nothing"), std::to_string(amount)) << space << " of " << key;
      }
    };
    expect_rows("payments", payments_);
    expect_rows("total", totals_);
    expect_rows("account", accounts_);
  }

  PaymentDesk desk_;
  TemporaryFolder folder_;
  Random random_;
  std::set<std::string> charges_;
  std::map<std::string, std::int64_t> accounts_, totals_, payments_;
  std::int64_t updates_ = 0;
};

// An update that dies with its process twice is handled alone afterwards, and dying alone is its own fault
// (P7). These are innocent, so what was under way at the last kill is finished before the next.
TEST_F(PaymentsCrash, P12_after_a_hundred_kills_each_payment_is_counted_once_and_none_is_lost) {
  TGKEEP_TRACE_SEED(random_);
  std::set<std::string> before;
  for (int kills = 0; kills < kKills; ++kills) {
    pay_some();
    std::unique_ptr<Process> bot = start();
    if (kills % 4 == 0) {
      // Anywhere: while it starts, opens its store, polls, stores.
      ::usleep(static_cast<useconds_t>(random_.between(0, 60'000)));
      kill(*bot);
      bot = start();
      ++kills;
    }
    pay_some();
    desk_.wait_for_thanks(before, charges_, static_cast<std::size_t>(random_.between(0, 10)));
    kill(*bot);
    before = charges_;
  }
  const std::unique_ptr<Process> bot = start();
  desk_.wait_for_thanks(charges_, charges_, 0);
  bot->signal(SIGTERM);
  EXPECT_EQ(bot->wait(), 0) << bot->output();
  inspect();
}

}  // namespace
}  // namespace tgkeep::test
