#include "sink/settled_as.hpp"

#include <gtest/gtest.h>

namespace tgkeep::sink {
namespace {

using namespace std::chrono_literals;
using Action = SettleRequest::Action;
using Fate = SettledAs::Fate;

std::shared_ptr<SettledAs> written(Action action = Action::done) {
  auto settled = std::make_shared<SettledAs>(action);
  settled->decide(Fate::written);
  return settled;
}

TEST(SettledAs, P4_a_receipt_that_ends_without_a_word_means_that_nothing_is_written) {
  const auto settled = std::make_shared<SettledAs>(Action::done);
  auto receipt = receipt_of(settled);
  EXPECT_EQ(settled->fate(), Fate::open);
  receipt.reset();
  EXPECT_EQ(settled->fate(), Fate::lost);
}

TEST(SettledAs, P4_what_was_told_once_stays) {
  const auto settled = std::make_shared<SettledAs>(Action::done);
  auto receipt = receipt_of(settled);
  receipt->settled(true);
  receipt->settled(false);
  receipt.reset();
  EXPECT_EQ(settled->fate(), Fate::written);
}

TEST(SettledMemory, P11_the_last_hundred_thousand_are_remembered) {
  SettledMemory<int> memory;
  for (int key = 1; key <= 100'001; ++key) memory.remember(key, written(), MonoTime());
  EXPECT_FALSE(memory.find(1, MonoTime()));
  EXPECT_TRUE(memory.find(2, MonoTime()));
}

TEST(SettledMemory, a_key_that_is_settled_anew_is_kept_from_then_on) {
  SettledMemory<int> memory;
  memory.remember(1, written(Action::retry), MonoTime());
  memory.remember(1, written(Action::done), MonoTime() + 5min);
  EXPECT_EQ(memory.find(1, MonoTime() + 14min)->action, Action::done);
  EXPECT_FALSE(memory.find(1, MonoTime() + 15min));
}

TEST(SettledMemory, P11_what_is_open_is_remembered_as_long_as_it_is) {
  SettledMemory<int> memory;
  const auto open = std::make_shared<SettledAs>(Action::done);
  memory.remember(1, open, MonoTime());
  EXPECT_TRUE(memory.find(1, MonoTime() + 10h));
  open->decide(Fate::written);
  EXPECT_FALSE(memory.find(1, MonoTime() + 10h));
}

}  // namespace
}  // namespace tgkeep::sink
