#include "source/drop_waiting.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "loop/virtual_clock.hpp"
#include "rooms/source/fake_api.hpp"
#include "support/run.hpp"

namespace tgkeep::test {
namespace {

class DropWaitingTest : public testing::Test {
 protected:
  Result<void> drop() { return run(io, source::drop_waiting(api)); }

  boost::asio::io_context io{1};
  loop::VirtualClock clock;
  Journal journal;
  FakeApi api{clock, journal};
};

TEST_F(DropWaitingTest, all_but_the_last_are_deleted_and_that_one_is_confirmed) {
  api.updates(std::string(R"([{"update_id":77,"message":{}}])"));
  api.updates(std::string("[]"));
  EXPECT_TRUE(drop());
  EXPECT_EQ(journal, (Journal{R"(getUpdates {"offset":-1,"limit":1,"timeout":0})",
                              R"(getUpdates {"offset":78,"limit":1,"timeout":0})"}));
}

TEST_F(DropWaitingTest, where_nothing_waits_nothing_is_confirmed) {
  for (const char* const answer : {"[]", "{}", "[1]", "[{}]", "nonsense"}) {
    api.updates(std::string(answer));
    EXPECT_TRUE(drop()) << answer;
  }
  EXPECT_EQ(journal.size(), 5U);
}

TEST_F(DropWaitingTest, a_refusal_is_told) {
  api.updates(refused(409, "Conflict"));
  EXPECT_EQ(drop().error().code(), Errc::network);
}

}  // namespace
}  // namespace tgkeep::test
