#include "emulator/update_queue.hpp"

#include <gmock/gmock.h>

#include <string>

namespace tgkeep::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view body = R"({"chat":{"id":1}})";

std::int64_t fill(UpdateQueue& queue, int count) {
  const std::int64_t first = queue.tail();
  for (int i = 0; i < count; ++i) queue.push("message", body);
  return first;
}

TEST(UpdateQueue, B6_starts_at_a_random_id_in_the_documented_range_and_counts_by_one) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    UpdateQueue queue(seed);
    EXPECT_GE(queue.tail(), 2'000'001);
    EXPECT_LE(queue.tail(), 1'000'000'000);
    const std::int64_t first = fill(queue, 2);
    EXPECT_EQ(queue.tail(), first + 2);
  }
  EXPECT_EQ(UpdateQueue(7).tail(), UpdateQueue(7).tail());
  EXPECT_NE(UpdateQueue(7).tail(), UpdateQueue(8).tail());
}

TEST(UpdateQueue, B8_writes_a_line_feed_after_the_update_id) {
  UpdateQueue queue(1);
  const std::int64_t first = fill(queue, 1);
  EXPECT_EQ(queue.take(0, 100).json,
            "[{\"update_id\":" + std::to_string(first) + ",\n\"message\":{\"chat\":{\"id\":1}}}]");
}

TEST(UpdateQueue, B7_no_offset_returns_the_oldest_again_and_again) {
  UpdateQueue queue(1);
  const std::int64_t first = fill(queue, 3);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(queue.take(0, 2).ids, ElementsAre(UpdateId(first), UpdateId(first + 1)));
  }
  EXPECT_EQ(queue.size(), 3U);
}

TEST(UpdateQueue, B7_only_a_higher_offset_confirms) {
  UpdateQueue queue(1);
  const std::int64_t first = fill(queue, 3);
  EXPECT_EQ(queue.take(first, 100).ids.size(), 3U);
  EXPECT_THAT(queue.take(first + 2, 100).ids, ElementsAre(UpdateId(first + 2)));
  EXPECT_THAT(queue.take(0, 100).ids, ElementsAre(UpdateId(first + 2)));
  EXPECT_THAT(queue.take(first + 1, 100).ids, ElementsAre(UpdateId(first + 2)));
}

TEST(UpdateQueue, B7_an_offset_up_to_ten_beyond_the_tail_confirms_everything) {
  UpdateQueue queue(1);
  const std::int64_t first = fill(queue, 3);
  EXPECT_THAT(queue.take(first + 3 + 10, 100).ids, IsEmpty());
  EXPECT_EQ(queue.size(), 0U);
}

TEST(UpdateQueue, B7_an_overshooting_offset_deletes_the_next_update_unseen) {
  UpdateQueue queue(1);
  const std::int64_t first = fill(queue, 1);
  const std::int64_t offset = queue.resolve(first + 3);
  EXPECT_THAT(queue.take(offset, 100).ids, IsEmpty());
  fill(queue, 1);
  EXPECT_THAT(queue.take(offset, 100).ids, IsEmpty());
  EXPECT_EQ(queue.size(), 0U);
}

TEST(UpdateQueue, B7_an_offset_outside_the_window_confirms_nothing_and_reads_from_the_head) {
  UpdateQueue queue(1);
  const std::int64_t first = fill(queue, 3);
  for (const std::int64_t offset : {first + 3 + 11, UpdateQueue::end_of_ids, first - 100'001}) {
    EXPECT_EQ(queue.take(offset, 100).ids.size(), 3U) << offset;
    EXPECT_EQ(queue.size(), 3U) << offset;
  }
  EXPECT_EQ(queue.take(first - 100'000, 100).ids.size(), 3U);
}

TEST(UpdateQueue, B7_a_negative_offset_keeps_the_newest_and_resolves_to_a_positive_one) {
  UpdateQueue queue(1);
  const std::int64_t first = fill(queue, 5);
  EXPECT_EQ(queue.resolve(-9), first);
  EXPECT_EQ(queue.resolve(-2), first + 3);
  EXPECT_THAT(queue.take(first + 3, 100).ids, ElementsAre(UpdateId(first + 3), UpdateId(first + 4)));
  queue.clear();
  EXPECT_EQ(queue.resolve(-1), queue.tail());
}

TEST(UpdateQueue, B15_F11_drops_new_updates_when_full_and_gives_them_no_id) {
  UpdateQueue queue(1);
  const std::int64_t first = fill(queue, 100'000);
  EXPECT_EQ(queue.push("message", body), std::nullopt);
  queue.take(first + 1, 1);
  EXPECT_EQ(queue.push("message", body), UpdateId(first + 100'000));
}

TEST(UpdateQueue, B15_drops_an_update_of_more_than_512_KiB) {
  UpdateQueue queue(1);
  EXPECT_EQ(queue.push("message", std::string(513U << 10, ' ')), std::nullopt);
}

TEST(UpdateQueue, B8_ends_an_answer_early_after_4_MiB) {
  UpdateQueue queue(1);
  const std::string big = '"' + std::string(400U << 10, 'x') + '"';
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(queue.push("message", big));
  EXPECT_EQ(queue.take(0, 100).ids.size(), 11U);
}

TEST(UpdateQueue, F6_sends_confirmed_updates_again_once_when_told_to) {
  UpdateQueue queue(1);
  queue.send_confirmed_again(1);
  const std::int64_t first = fill(queue, 3);
  queue.take(0, 2);
  EXPECT_THAT(queue.take(first + 2, 100).ids,
              ElementsAre(UpdateId(first), UpdateId(first + 1), UpdateId(first + 2)));
  EXPECT_THAT(queue.take(first + 3, 100).ids, ElementsAre(UpdateId(first + 2)));
  EXPECT_THAT(queue.take(first + 3, 100).ids, IsEmpty());
}

}  // namespace
}  // namespace tgkeep::emulator
