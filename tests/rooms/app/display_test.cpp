// What commands print for people: tables, ages, moments, and nothing that a terminal would obey.

#include <gmock/gmock.h>
#include <stdlib.h>
#include <time.h>

#include <boost/json.hpp>
#include <string>

#include "app/display/amounts.hpp"
#include "app/display/body_text.hpp"
#include "app/display/item_view.hpp"
#include "app/display/moment.hpp"
#include "app/display/safe_text.hpp"
#include "app/display/status_view.hpp"
#include "app/display/table.hpp"

namespace tgkeep::app {
namespace {

using testing::HasSubstr;
using testing::Not;

/// All of these read local time: in Berlin, where clocks change.
class Moments : public testing::Test {
 protected:
  Moments() {
    ::setenv("TZ", "Europe/Berlin", 1);
    ::tzset();
  }
  ~Moments() override {
    ::unsetenv("TZ");
    ::tzset();
  }
  static std::string read(const std::string& text) {
    // 2026-11-29 12:00:00 UTC, which is 13:00 in Berlin.
    const Result<WallTime> time = read_moment(text, from_millis(1'795'953'600'000));
    return time.has_value() ? moment_text(*time) : "refused: " + time.error().text();
  }
};

TEST_F(Moments, are_read_as_people_write_them) {
  EXPECT_EQ(read("now"), "2026-11-29 13:00:00");
  EXPECT_EQ(read("2h"), "2026-11-29 11:00:00");
  EXPECT_EQ(read("90s"), "2026-11-29 12:58:30");
  EXPECT_EQ(read("3d"), "2026-11-26 13:00:00");
  EXPECT_EQ(read("today"), "2026-11-29 00:00:00");
  EXPECT_EQ(read("yesterday"), "2026-11-28 00:00:00");
  EXPECT_EQ(read("10:00"), "2026-11-29 10:00:00");
  EXPECT_EQ(read("10:00:07"), "2026-11-29 10:00:07");
  EXPECT_EQ(read("2026-11-29"), "2026-11-29 00:00:00");
  EXPECT_EQ(read("2026-11-29T10:00"), "2026-11-29 10:00:00");
  EXPECT_EQ(read("2026-11-29 10:00:30"), "2026-11-29 10:00:30");
  EXPECT_EQ(read("2026-11-29T10:00Z"), "2026-11-29 11:00:00");
  EXPECT_EQ(read("2026-11-29T10:00+03:00"), "2026-11-29 08:00:00");
  EXPECT_EQ(read("@1795953600"), "2026-11-29 13:00:00");
  EXPECT_EQ(read("1795953600000"), "2026-11-29 13:00:00");
}

TEST_F(Moments, of_summer_are_an_hour_ahead) {
  EXPECT_EQ(read("2026-07-01T00:00Z"), "2026-07-01 02:00:00");
}

TEST_F(Moments, that_nobody_can_mean_are_refused_with_examples) {
  for (const char* text :
       {"", "soon", "2h ago", "25:00", "10:60", "2026-02-30", "2026-13-01", "2026-11-29T", "12345", "-2h",
        "2026-11-29T10:00X", "@", "2026-11-29T10:00+99:00", "99999999999999999999"}) {
    EXPECT_THAT(read(text), testing::StartsWith("refused: \"" + std::string(text) + "\" is no time")) << text;
  }
}

TEST(Amounts, are_short) {
  EXPECT_EQ(age_text(0), "0 s");
  EXPECT_EQ(age_text(-1), "0 s");
  EXPECT_EQ(age_text(0.25), "250 ms");
  EXPECT_EQ(age_text(3.24), "3.2 s");
  EXPECT_EQ(age_text(59), "59 s");
  EXPECT_EQ(age_text(199), "3 min");
  EXPECT_EQ(age_text(7500), "2 h 5 min");
  EXPECT_EQ(age_text(4 * 86400 + 3600), "4 d 1 h");
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(64ULL << 20), "64 MiB");
}

TEST(SafeText, does_nothing_to_a_terminal) {
  EXPECT_EQ(safe_text("Grüße, 世界 👋"), "Grüße, 世界 👋");
  EXPECT_EQ(safe_text("a\x1b[31mred\r\nb\x7f"), "a\\x1b[31mred\\x0d\\x0ab\\x7f");
  EXPECT_EQ(safe_text("line\n\tline", true), "line\n\tline");
  EXPECT_EQ(safe_text("c1 \xc2\x9b"), "c1 \\u009b");
  EXPECT_EQ(safe_text("turned \xe2\x80\xae"), "turned \\u202e");
  EXPECT_EQ(safe_text("broken \xff\xc3"), "broken \\xff\\xc3");
  EXPECT_EQ(safe_text("overlong \xc0\xaf, surrogate \xed\xa0\x80"),
            "overlong \\xc0\\xaf, surrogate \\xed\\xa0\\x80");
}

TEST(SafeText, is_measured_in_columns) {
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("世界"), 4U);
  EXPECT_EQ(columns_of("e\xcc\x81"), 1U);
  EXPECT_EQ(cut_to("abcdef", 4), "abc…");
  EXPECT_EQ(cut_to("世界世界", 6), "世界…");
  EXPECT_EQ(cut_to("abc", 3), "abc");
}

TEST(Tables, have_aligned_columns_and_leave_out_empty_ones) {
  Table table;
  table.column("seq", Align::right);
  table.column("run");
  table.column("name");
  table.column("error");
  table.row({"7", "", "世界", "x"});
  table.row({"123", "", "b", "a long error\nof two lines"});
  EXPECT_EQ(table.text(0),
            "seq  name  error\n"
            "  7  世界  x\n"
            "123  b     a long error\\x0aof two lines\n");
  EXPECT_THAT(table.text(26), HasSubstr("123  b     a long error\\x…\n"));
}

TEST(Bodies, are_laid_out_and_safe) {
  EXPECT_EQ(
      body_text(R"({"a":[1,{"b":"x"}],"c":{}})", "  "),
      "  {\n    \"a\": [\n      1,\n      {\n        \"b\": \"x\"\n      }\n    ],\n    \"c\": {}\n  }\n");
  EXPECT_THAT(body_text("{\"a\":\"\xc2\x9b\"}", ""), HasSubstr("\\u009b"));
  EXPECT_EQ(body_text("no json\x1b", "  "), "  no json\\x1b\n");
}

json::value status() {
  return json::parse(
      R"({"version":"0.1.0","live":true,"pid":4711,"uptime_s":7500,"receiving":true,"stopping":false,
    "bots":[{"id":123456,"name":"shop","folder":"data/123456","limit":500,
      "source":{"kind":"poll","healthy":false,"problem":"another poller \u001b[2J"},
      "target":{"kind":"push 127.0.0.1:3000","reachable":false},
      "inbox":{"stored":9,"pending":1,"in_flight":2,"retrying":1,"held":0,"done":4,"duplicates":1,
        "dead":{"attempts":1},"dropped":{},"in_doubt":0,"oldest_s":190.5,"balanced":true,"paused":true,"runner":null},
      "outbox":{"stored":2,"pending":0,"in_flight":0,"retrying":0,"held":1,"done":1,"duplicates":0,
        "dead":{},"dropped":{},"in_doubt":3,"oldest_s":null,"balanced":false,"paused":false,"runner":null},
      "store":{"epoch":3,"file_bytes":4096,"wal_bytes":0,"history_bytes":0,"disk_free":1073741824,"reserve":1,
        "full":false}}]})");
}

TEST(Status, says_at_a_glance_what_a_person_should_know) {
  const std::string text = status_text(status(), "");
  EXPECT_THAT(text, HasSubstr("tgkeep 0.1.0 has been running for 2 h 5 min (process 4711)"));
  EXPECT_THAT(text, HasSubstr("shop (123456)"));
  EXPECT_THAT(text, HasSubstr("(in trouble)"));
  EXPECT_THAT(text, HasSubstr("to push 127.0.0.1:3000 (unreachable)"));
  EXPECT_THAT(text, HasSubstr("3 min  paused"));
  EXPECT_THAT(text, HasSubstr("inbox: dead letters: attempts 1"));
  EXPECT_THAT(text, HasSubstr("outbox: the totals do not add up"));
  EXPECT_THAT(text, HasSubstr("calls held for your decision"));
  EXPECT_THAT(text, HasSubstr("free 1.0 GiB"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(Status, counts_what_waits_of_one_bot_or_all) {
  EXPECT_EQ(unsettled(status()), 4);
  EXPECT_EQ(unsettled(status(), "shop"), 4);
  EXPECT_EQ(unsettled(status(), "other"), 0);
  EXPECT_TRUE(has_bot(status(), "123456"));
  EXPECT_FALSE(has_bot(status(), "other"));
  EXPECT_THAT(status_text(status(), "other"), Not(HasSubstr("shop")));
}

TEST(Items, are_a_line_each_or_whole) {
  const json::value items = json::parse(R"([{"queue":"inbox","seq":17,"state":"dead","update_id":900,"run":1,
    "earlier":9,"kind":"message","keys":["chat:1","user:2"],"reason":"attempts","error":"no\nluck","attempts":12,
    "crashes":1,"starts":13,"received_at":1000,"due_at":null,"started_at":null,"ended_at":61000,"corrupt":"",
    "body":"{\"update_id\":900}"}])");
  const std::string lines = items_text(items.get_array(), from_millis(181'000));
  EXPECT_THAT(
      lines,
      HasSubstr(
          "17  dead (attempts)        900    1  message  chat:1 +1  3 min  12 + 1 crashed  no\\x0aluck"));
  const std::string whole = item_text(items.get_array().front(), from_millis(181'000));
  for (const char* part :
       {"inbox 17  dead (attempts)", "update_id   900", "keys        chat:1, user:2", "run before  inbox 9",
        "(3 min ago)", "failed      12 + 1 crashed", "\"update_id\": 900"}) {
    EXPECT_THAT(whole, HasSubstr(part));
  }
}

TEST(Traces, tell_the_story_of_an_update) {
  const json::value trace =
      json::parse(R"({"update_id":900,"runs":[{"item":{"queue":"inbox","seq":17,"state":"done",
    "update_id":900,"run":0,"kind":"message","keys":["chat:1"],"received_at":1000,"started_at":4000,"ended_at":4500},
    "failures":[{"attempt":1,"at":2000,"error":"the bot said 500"}],
    "handouts":[{"id":2000000041,"seen_as":42,"at":1500}],
    "calls":[{"queue":"outbox","seq":5,"call":1,"kind":"sendMessage","state":"done","ended_at":5000}]}]})");
  const std::string text = trace_text(trace);
  for (const char* part :
       {"update 900, message, chat:1  inbox 17, run 0: done", "received and stored",
        "+500 ms  handed out as update_id 42", "+1.0 s  attempt 1 failed: the bot said 500",
        "+3.0 s  started", "+3.5 s  done", "+4.0 s  call 1 sendMessage (outbox 5): done"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(Answers, of_other_versions_do_not_break_the_views) {
  for (const char* text :
       {"{}", "[]", "null", "3", R"({"bots":[{}]})", R"({"bots":[{"inbox":null,"outbox":[]}]})",
        R"({"runs":[{}]})", R"({"runs":[{"item":3,"failures":{},"calls":[1]}]})"}) {
    const json::value answer = json::parse(text);
    status_text(answer, "");
    trace_text(answer);
    item_text(answer, WallTime());
    items_text(json::array{answer}, WallTime());
  }
}

}  // namespace
}  // namespace tgkeep::app
