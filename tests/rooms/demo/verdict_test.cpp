#include "demo/verdict.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace tgkeep::demo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Figures good() {
  Figures figures;
  figures.sent = figures.stored = figures.handled = figures.done = 2000;
  figures.duplicates = 20;
  figures.repeated = 120;
  figures.stale = 4;
  figures.calls = 2003;
  figures.calls_repeated = 3;
  figures.in_doubt = 5;
  figures.calls_in_flight = 5;
  figures.kills = figures.kills_in_flight = 3;
  figures.max_parallel = 40;
  figures.deliveries.delivered = 2025;
  figures.deliveries.acknowledged = 2015;
  figures.seconds = 2.0451;
  figures.seed = 7;
  return figures;
}

TEST(Verdict, passes_good_figures) {
  EXPECT_THAT(judge(good(), Plan(3, 1000)), IsEmpty());
}

TEST(Verdict, P3_fails_for_each_figure_that_is_wrong) {
  const std::vector<std::pair<std::string, std::function<void(Figures&)>>> sabotages = {
      {"lost", [](Figures& f) { f.lost = 1; }},
      {"out_of_order", [](Figures& f) { f.out_of_order = 1; }},
      {"dead", [](Figures& f) { f.dead = 1; }},
      {"calls_lost", [](Figures& f) { f.calls_lost = 1; }},
      {"handled", [](Figures& f) { f.handled = 1999; }},
      {"done", [](Figures& f) { f.done = 1999; }},
      {"calls_repeated", [](Figures& f) { f.calls_repeated = 6; }},
      {"in_doubt", [](Figures& f) { f.in_doubt = 6; }},
      {"kills_in_flight", [](Figures& f) { f.kills_in_flight = 2; }},
      {"max_parallel", [](Figures& f) { f.max_parallel = 39; }},
      {"acknowledged", [](Figures& f) { f.duplicates = 14; }},
      {"number of deliveries", [](Figures& f) { f.duplicates = 26; }},
  };
  for (const auto& [name, sabotage] : sabotages) {
    Figures figures = good();
    sabotage(figures);
    EXPECT_THAT(judge(figures, Plan(3, 1000)), ElementsAre(HasSubstr(name))) << name;
  }
}

TEST(Verdict, fails_when_fewer_kills_happened_than_were_asked_for) {
  EXPECT_THAT(judge(good(), Plan(4, 1000)), ElementsAre(HasSubstr("kills")));
}

TEST(Verdict, asks_for_no_more_parallel_handlers_than_chats_allow) {
  Figures figures = good();
  figures.max_parallel = 10;
  EXPECT_THAT(judge(figures, Plan(3, 20)), IsEmpty());
  EXPECT_THAT(judge(figures, Plan(3, 22)), ElementsAre(HasSubstr("max_parallel")));
}

TEST(Verdict, writes_one_line_of_json_in_the_documented_order) {
  EXPECT_EQ(
      to_json(good()),
      R"({"sent":2000,"stored":2000,"duplicates":20,"handled":2000,"repeated":120,"lost":0,"out_of_order":0,)"
      R"("stale":4,"dead":0,"calls":2003,"calls_lost":0,"calls_repeated":3,"in_doubt":5,"kills":3,"kills_in_flight":3,)"
      R"("max_parallel":40,"seconds":2.045,"seed":7})");
}

}  // namespace
}  // namespace tgkeep::demo
