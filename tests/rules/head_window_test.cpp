#include "rules/head_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/random.hpp"

namespace tgkeep::rules {
namespace {

std::vector<KeyHash> keys(std::initializer_list<std::int64_t> values) {
  std::vector<KeyHash> all;
  for (const std::int64_t value : values) all.emplace_back(value);
  return all;
}

TEST(HeadWindow, P11_a_flooded_key_is_loaded_up_to_its_bound_and_the_others_beside_it) {
  HeadWindow window(1000, 4);
  int loaded = 0;
  for (std::int64_t seq = 1; seq <= 100; ++seq) loaded += window.offer(Seq(seq), keys({1})) ? 1 : 0;
  EXPECT_EQ(loaded, 4);
  EXPECT_TRUE(window.offer(Seq(101), keys({2})));
  EXPECT_EQ(window.closed_keys(), 1U);
  EXPECT_FALSE(window.next_refill().has_value()) << "not before it is half empty";
  window.release(keys({1}));
  EXPECT_FALSE(window.next_refill().has_value());
  window.release(keys({1}));
  const auto refill = window.next_refill();
  ASSERT_TRUE(refill.has_value());
  EXPECT_EQ(refill->after, Seq(4));
  EXPECT_EQ(refill->up_to, Seq(100));
  EXPECT_EQ(refill->limit, 2U);
}

TEST(HeadWindow, P5_a_skipped_head_closes_all_its_keys_to_later_ones) {
  HeadWindow window(1000, 1);
  EXPECT_TRUE(window.offer(Seq(1), keys({1})));
  EXPECT_FALSE(window.offer(Seq(2), keys({1, 2})));
  EXPECT_FALSE(window.offer(Seq(3), keys({2}))) << "2 comes before it in key 2 and is not loaded";
  EXPECT_TRUE(window.offer(Seq(4), keys({3})));
}

TEST(HeadWindow, P11_the_scan_stops_at_the_bound) {
  HeadWindow window(3, 64);
  EXPECT_EQ(window.scan_room(), 3U);
  for (std::int64_t seq = 1; seq <= 3; ++seq) window.offer(Seq(seq), keys({seq}));
  EXPECT_EQ(window.scan_room(), 0U);
  window.release(keys({2}));
  EXPECT_EQ(window.scan_room(), 1U);
}

// A store, a scan and refills in random interleavings: every head is loaded once, per key in put order,
// within the bounds, and what is loaded and first in its keys can always be ended.
class Simulation {
 public:
  explicit Simulation(test::Random& random)
      : random_(random), per_key_(static_cast<std::size_t>(random.between(1, 6))), window_(40, per_key_) {}

  void run(int puts) {
    for (int step = 0; put_ < puts || !open_.empty(); ++step) {
      ASSERT_LT(step, puts * 200) << "stuck with " << open_.size() << " open, " << loaded_.size()
                                  << " loaded";
      switch (random_.between(0, 3)) {
        case 0:
          if (put_ < puts) put();
          break;
        case 1:
          scan();
          break;
        case 2:
          refill();
          break;
        case 3:
          end();
          break;
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
    EXPECT_EQ(window_.loaded(), 0U);
    EXPECT_EQ(window_.closed_keys(), 0U);
  }

 private:
  void put() {
    std::vector<KeyHash> wanted;
    for (std::int64_t i = random_.between(0, 3); i > 0; --i) {
      wanted.emplace_back(random_.chance(0.5) ? 1 : random_.between(1, 12));
    }
    open_.emplace(++put_, wanted);
  }

  void load(std::int64_t seq) {
    ASSERT_TRUE(loaded_.insert(seq).second) << seq << " loaded twice";
    ASSERT_LE(loaded_.size(), 40U);
    for (const KeyHash key : open_.at(seq)) {
      for (const auto& [other, keys] : open_) {
        if (other >= seq) break;
        if (std::ranges::count(keys, key) != 0) {
          ASSERT_TRUE(loaded_.contains(other)) << seq << " before " << other;
        }
      }
    }
  }

  void scan() {
    std::size_t room = std::min<std::size_t>(window_.scan_room(), 5);
    for (auto next = open_.upper_bound(cursor_); next != open_.end() && room > 0; ++next, --room) {
      cursor_ = next->first;
      if (window_.offer(Seq(cursor_), next->second)) load(cursor_);
    }
  }

  void refill() {
    if (!pending_) {
      pending_ = window_.next_refill();
      if (!pending_) return;
      answer_.clear();
      for (auto next = open_.upper_bound(pending_->after.value());
           next != open_.end() && answer_.size() < pending_->limit; ++next) {
        if (std::ranges::count(next->second, pending_->key) != 0) answer_.push_back(next->first);
      }
      return;  // other things happen before the answer is there
    }
    bool complete = answer_.size() < pending_->limit;
    for (const std::int64_t seq : answer_) {
      if (Seq(seq) > pending_->up_to) {
        complete = true;
        break;
      }
      if (!window_.offer_refill(*pending_, Seq(seq), open_.at(seq))) {
        complete = false;
        break;
      }
      load(seq);
    }
    window_.end_refill(*pending_, complete);
    pending_.reset();
  }

  void end() {
    std::vector<std::int64_t> first;
    for (const std::int64_t seq : loaded_) {
      const bool waits = std::ranges::any_of(loaded_, [&](std::int64_t other) {
        return other < seq && std::ranges::any_of(open_.at(seq), [&](KeyHash key) {
                 return std::ranges::count(open_.at(other), key) != 0;
               });
      });
      if (!waits) first.push_back(seq);
    }
    if (first.empty()) return;
    const std::int64_t seq = first[static_cast<std::size_t>(random_.between(0, std::ssize(first) - 1))];
    window_.release(open_.at(seq));
    loaded_.erase(seq);
    open_.erase(seq);
  }

  test::Random& random_;
  std::size_t per_key_;
  HeadWindow window_;
  std::map<std::int64_t, std::vector<KeyHash>> open_;
  std::set<std::int64_t> loaded_;
  std::int64_t put_ = 0;
  std::int64_t cursor_ = 0;
  std::optional<HeadWindow::Refill> pending_;
  std::vector<std::int64_t> answer_;
};

TEST(HeadWindow, P5_P6_every_head_is_loaded_once_in_order_whatever_the_interleaving) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  for (int round = 0; round < 40 && !::testing::Test::HasFailure(); ++round) Simulation(random).run(300);
}

}  // namespace
}  // namespace tgkeep::rules
