// `tgkeep backup`, `restore` and `check`.

#include <filesystem>
#include <fstream>

#include "e2e/command_room.hpp"

namespace tgkeep::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class FileCommands : public RunningOrNot {};

INSTANTIATE_TEST_SUITE_P(Each, FileCommands, testing::Bool(), running_or_not);

TEST_P(FileCommands, a_backup_is_made_checked_and_restored_with_everything_in_it) {
  const std::string copy = folder_.file("copies/today");
  const Told made = tell({"backup", copy});
  EXPECT_EQ(made.code, 0) << made.text;
  EXPECT_THAT(made.text, HasSubstr(copy));
  EXPECT_EQ(tell({"check", copy}).code, 0);
  const std::string fresh = folder_.file("fresh");
  const Told restored = tell({"restore", copy, "--to", fresh});
  EXPECT_EQ(restored.code, 0) << restored.text;
  const json::value status = tell({"status", "--json", "--folder", fresh}).answer();
  EXPECT_EQ(inbox_count(status, "stored"), 3);
  EXPECT_EQ(inbox_count(status, "dead"), 1);
  EXPECT_THAT(found({"--folder", fresh}), ElementsAre(1, 2, 3));
}

TEST_P(FileCommands, a_backup_goes_into_no_folder_that_is_there) {
  std::filesystem::create_directory(folder_.file("there"));
  const Told told = tell({"backup", folder_.file("there")});
  EXPECT_EQ(told.code, 2);
  EXPECT_THAT(told.text, AllOf(HasSubstr(folder_.file("there")), HasSubstr("does not exist")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.file("there")));
  EXPECT_EQ(tell({"backup"}).code, 2);
  EXPECT_EQ(tell({"backup", folder_.file("new"), "--bot", "nobody"}).code, 4);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("new")));
}

TEST_P(FileCommands, check_needs_the_store_for_itself) {
  const Told told = tell({"check"});
  EXPECT_EQ(told.code, live() ? 5 : 0) << told.text;
  EXPECT_THAT(told.text, HasSubstr(live() ? "in use by process" : "all is well"));
}

TEST_P(FileCommands, restore_takes_no_folder_with_something_in_it_and_no_backup_that_is_none) {
  const std::string copy = folder_.file("copy");
  ASSERT_EQ(tell({"backup", copy}).code, 0);
  const Told over = tell({"restore", copy, "--to", folder_.file("store")});
  EXPECT_NE(over.code, 0);
  EXPECT_THAT(over.text, HasSubstr(folder_.file("store")));
  EXPECT_THAT(found({}), ElementsAre(1, 2, 3));
  EXPECT_EQ(tell({"restore", folder_.file("none"), "--to", folder_.file("fresh")}).code, 4);
  std::filesystem::create_directory(folder_.file("empty"));
  EXPECT_NE(tell({"restore", folder_.file("empty"), "--to", folder_.file("fresh")}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("fresh")));
  EXPECT_EQ(tell({"restore", copy}).code, 2);
}

TEST_P(FileCommands, damage_is_found_and_named) {
  const std::string copy = folder_.file("copy");
  ASSERT_EQ(tell({"backup", copy}).code, 0);
  // One letter of an update.
  const std::string file = copy + "/inbox.db";
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::size_t at = bytes.find("hopeless");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'H';
  std::ofstream(file, std::ios::binary) << bytes;
  const Told told = tell({"check", copy});
  EXPECT_EQ(told.code, 1);
  EXPECT_THAT(told.text, HasSubstr("inbox.db"));
  const json::value answer = tell({"check", copy, "--json"}).answer();
  EXPECT_FALSE(answer.at("fine").as_bool());
  EXPECT_NE(tell({"restore", copy, "--to", folder_.file("fresh")}).code, 0);
}

}  // namespace
}  // namespace tgkeep::test
