// The drill of docs/operations.md: kill -9 in the middle of a backup, and a restore of the one before.

#include <signal.h>

#include <filesystem>

#include "e2e/command_room.hpp"

namespace tgkeep::test {
namespace {

using testing::HasSubstr;

class RestoreDrill : public CommandRoom {
 protected:
  void TearDown() override { stop_process(); }
};

TEST_F(RestoreDrill,
       P1_P3_a_restored_store_goes_on_with_all_of_before_the_backup_and_nothing_confirmed_after_it) {
  fill();
  // At the backup point it fails and waits.
  down_ = true;
  telegram_.send(4, "of before");
  wait_for_inbox("stored", 4);
  const std::string copy = folder_.file("copies/first");
  ASSERT_EQ(tell({"backup", copy}).code, 0);
  // Afterwards it is handled, and so is one that came later. The poll after that confirms both to Telegram.
  down_ = false;
  telegram_.send(5, "of later");
  wait_for_inbox("done", 4);
  telegram_.send(6, "the last");
  wait_for_inbox("done", 5);

  const std::string broken = folder_.file("copies/broken");
  Process backup({program(), "backup", broken}, bot_environment());
  backup.end_input();
  while (!std::filesystem::exists(broken + ".partial") && !std::filesystem::exists(broken)) {
  }
  process_->signal(SIGKILL);
  EXPECT_EQ(process_->wait(), -SIGKILL);
  process_.reset();
  const int ended = backup.wait();
  // Complete, or none at all: a part of one is never taken for one.
  if (std::filesystem::exists(broken)) {
    EXPECT_EQ(tell({"check", broken}).code, 0);
  } else {
    EXPECT_NE(ended, 0) << backup.output();
    EXPECT_NE(tell({"restore", broken + ".partial", "--to", folder_.file("never")}).code, 0);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("never")));
  }

  const std::string fresh = folder_.file("fresh");
  const Told restored = tell({"restore", copy, "--to", fresh});
  ASSERT_EQ(restored.code, 0) << restored.text;
  const std::size_t before = bot_.count();
  const Environment there{{"TGKEEP_FOLDER", fresh}};
  start(there);
  EXPECT_THAT(bot_.request(before).body, HasSubstr("of before")) << "handed over again";
  telegram_.send(7, "of now");
  EXPECT_THAT(bot_.request(before + 1).body, HasSubstr("of now"));
  stop_process();
  EXPECT_EQ(bot_.count(), before + 2) << "what was confirmed to Telegram after the backup is gone";
  EXPECT_EQ(found({"--folder", fresh}).size(), 5U);
  const json::value status = tell({"status", "--json", "--folder", fresh}).answer();
  EXPECT_EQ(inbox_count(status, "stored"), 5);
  EXPECT_EQ(inbox_count(status, "done"), 4);
  EXPECT_EQ(inbox_count(status, "dead"), 1);
}

}  // namespace
}  // namespace tgkeep::test
