// Samples with bytes changed, cut out and doubled at random: whatever comes, a named error or an update.

#include <gtest/gtest.h>

#include <vector>

#include "rooms/telegram/samples.hpp"
#include "support/random.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::telegram {
namespace {

using test::Random;

std::size_t below(Random& random, std::size_t bound) {
  return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(bound) - 1));
}

void mutate(Random& random, std::string& raw) {
  constexpr std::string_view kTokens[] = {"\"", "\\", "{",     "}",    "[",       "]",   ",",
                                          ":",  "-",  "1e999", "\xff", "\\ud800", "null"};
  for (std::size_t left = 1 + below(random, 4); left > 0 && !raw.empty(); --left) {
    const std::size_t at = below(random, raw.size());
    switch (below(random, 4)) {
      case 0:
        raw[at] = static_cast<char>(below(random, 256));
        break;
      case 1:
        raw.erase(at, 1 + below(random, 20));
        break;
      case 2:
        raw.insert(at, kTokens[below(random, std::size(kTokens))]);
        break;
      default:
        raw.insert(at, raw.substr(below(random, raw.size()), below(random, 40)));
        break;
    }
  }
}

TEST(Mutations, reading_broken_samples_ends_in_an_update_or_a_named_error) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  for (int round = 0; round < 20; ++round) {
    for (const auto& [name, sample] : test::samples()) {
      std::string raw = sample;
      mutate(random, raw);
      const auto update = read_update(BotId(1), WallTime{}, raw);
      ASSERT_TRUE(update || !update.error().text().empty()) << raw;
      const Update kept = read_or_keep(BotId(1), WallTime{}, raw);
      ASSERT_EQ(kept.raw, raw);
      ASSERT_EQ(kept.unreadable.empty(), update.has_value()) << raw;
      ASSERT_TRUE(!update || kept.id == update->id) << raw;
    }
  }
}

TEST(Mutations, cutting_glued_samples_gives_the_samples) {
  Random random;
  TGKEEP_TRACE_SEED(random);
  std::vector<std::string> all;
  for (const auto& [name, sample] : test::samples()) {
    all.push_back(sample);
    while (all.back().back() == '\n') all.back().pop_back();
  }
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string_view> wanted;
    std::string answer = "[";
    for (std::size_t left = below(random, 101); left > 0; --left) {
      const std::string& sample = all[below(random, all.size())];
      if (!wanted.empty()) answer += below(random, 2) == 0 ? "," : " ,\n";
      wanted.emplace_back(sample);
      answer += sample;
    }
    answer += "]";
    const auto pieces = cut_array(answer);
    ASSERT_TRUE(pieces) << pieces.error().text();
    ASSERT_EQ(*pieces, wanted);
    mutate(random, answer);
    const auto broken = cut_array(answer);
    if (broken) {
      for (const auto piece : *broken) read_or_keep(BotId(1), WallTime{}, std::string(piece));
    }
  }
}

}  // namespace
}  // namespace tgkeep::telegram
