// What a reload does is decided before anything is touched.

#include "app/reload_plan.hpp"

#include <gmock/gmock.h>

#include "app/bot_difference.hpp"
#include "app/config_checks.hpp"
#include "app/settings.hpp"

namespace tgkeep::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

asio::awaitable<Outcome> nothing(const Context&) {
  co_return Outcome::done();
}

BotOptions bot(int id, const std::string& name) {
  BotOptions options(std::to_string(id) + ":AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  options.name = name;
  options.folder = "data/" + std::to_string(id);
  options.handler = nothing;
  return options;
}

Result<ReloadPlan> plan(const std::vector<BotOptions>& now, std::vector<BotOptions> next) {
  const ProcessOptions process;
  return plan_reload(process, now, Reconfiguration(process, std::move(next)), false);
}

std::string refusal(const std::vector<BotOptions>& now, std::vector<BotOptions> next) {
  const Result<ReloadPlan> planned = plan(now, std::move(next));
  return planned.has_error() ? planned.error().text() : "it was accepted";
}

TEST(ReloadPlan, what_is_the_same_is_left_alone_and_the_rest_is_told_apart_by_id) {
  BotOptions renamed = bot(2, "b");
  renamed.inbox.limit = 7;
  renamed.name = "c";
  const ReloadPlan planned =
      plan({bot(1, "a"), bot(2, "b"), bot(3, "x")}, {bot(4, "d"), renamed, bot(1, "a")}).value();
  EXPECT_THAT(planned.removed, ElementsAre(BotId(3)));
  ASSERT_EQ(planned.changed.size(), 1U);
  EXPECT_EQ(planned.changed[0].bot, BotId(2));
  EXPECT_THAT(planned.changed[0].settings, ElementsAre("name", "inbox.limit"));
  ASSERT_EQ(planned.added.size(), 1U);
  EXPECT_EQ(planned.added[0].name, "d");
  EXPECT_THAT(planned.order, ElementsAre(BotId(4), BotId(2), BotId(1)));
}

TEST(ReloadPlan, a_new_token_of_the_same_bot_changes_it_and_is_not_shown) {
  BotOptions rotated = bot(1, "a");
  rotated.token = "1:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB";
  EXPECT_THAT(plan({bot(1, "a")}, {rotated}).value().changed.at(0).settings, ElementsAre("token"));
}

TEST(ReloadPlan, P3_what_would_leave_updates_behind_is_refused) {
  BotOptions moved = bot(1, "a");
  moved.folder = "elsewhere";
  EXPECT_THAT(refusal({bot(1, "a")}, {moved}), HasSubstr("bot a: folder can't change while it runs"));
  BotOptions forgetful = bot(1, "a");
  forgetful.in_memory = true;
  EXPECT_THAT(refusal({bot(1, "a")}, {forgetful}), HasSubstr("in_memory is read only at the start"));
  BotOptions same_place = bot(1, "a");
  same_place.folder = "./data/../data/1/";
  EXPECT_THAT(plan({bot(1, "a")}, {same_place}).value().removed, IsEmpty());
  EXPECT_THAT(refusal({bot(1, "a")}, {}), HasSubstr("no bot would be left"));
}

TEST(ReloadPlan, all_that_is_wrong_is_said_at_once) {
  BotOptions twin = bot(1, "twin");
  BotOptions squatter = bot(2, "squatter");
  squatter.folder = "data/1";
  BotOptions broken = bot(3, "broken");
  broken.token = "a secret that is no token";
  BotOptions first = bot(4, "first");
  first.webhook.emplace();
  BotOptions second = bot(5, "second");
  second.webhook.emplace();
  BotOptions heir = bot(6, "heir");
  heir.folder = "data/9";
  EXPECT_THAT(
      refusal({bot(1, "a"), bot(9, "old")}, {bot(1, "a"), twin, squatter, broken, first, second, heir}),
      AllOf(HasSubstr("bot twin: has the token of bot a"),
            HasSubstr("bot squatter: folder data/1 is that of bot a"), HasSubstr("bot broken: "),
            HasSubstr("bot second: two bots have the webhook path /"),
            HasSubstr("bot heir: folder data/9 is still that of bot old"), Not(HasSubstr("a secret"))));
}

TEST(ReloadPlan, settings_that_are_read_only_at_the_start_are_refused_by_name) {
  const ProcessOptions now;
  Reconfiguration next(now, {bot(1, "a")});
  next.process.listen.port = 1;
  next.process.admin.socket = "x";
  next.process.admin.port = 2;
  next.process.admin.token = "hidden";
  next.process.handler_threads = 3;
  EXPECT_THAT(
      plan_reload(now, {bot(1, "a")}, next, true).error().text(),
      AllOf(HasSubstr("listen.port, handler_threads, admin.socket, admin.listen, admin.token are read only"),
            Not(HasSubstr("hidden"))));
  Reconfiguration later(now, {bot(1, "a")});
  later.process.listen.port = 1;
  EXPECT_TRUE(plan_reload(now, {bot(1, "a")}, later, false).has_value()) << "nothing listens yet";
  Reconfiguration wild(now, {bot(1, "a")});
  wild.process.push_networks = {"nonsense"};
  EXPECT_THAT(plan_reload(now, {bot(1, "a")}, wild, false).error().text(), HasSubstr("push.allow"));
}

/// Another value that the setting takes.
std::string other_value(const Setting& setting) {
  const std::string now = setting.show().value_or("");
  for (const char* text : {"true", "false", "7s", "11h", "9", "1234", "3GiB", "poll", "webhook", "push",
                           "message", "410=dead", "/other"}) {
    const std::string before = now;
    if (setting.set(text).empty() && setting.show().value_or("") != before) return text;
  }
  return "";
}

TEST(ReloadPlan, the_face_is_opened_at_the_start_only) {
  BotOptions puller = bot(1, "a");
  puller.handler = {};
  puller.pull.emplace();
  ProcessOptions now;
  EXPECT_THAT(plan_reload(now, {bot(1, "a")}, Reconfiguration(now, {puller}), false).error().text(),
              HasSubstr("restart tgkeep"));
  now.face.emplace();
  EXPECT_TRUE(plan_reload(now, {bot(1, "a")}, Reconfiguration(now, {puller}), false).has_value());
  ProcessOptions without;
  EXPECT_TRUE(plan_reload(now, {puller}, Reconfiguration(without, {bot(1, "a")}), false).has_value())
      << "it stays open";
  Reconfiguration next(now, {puller});
  next.process.face->port = 1;
  next.process.face->max_wait = std::chrono::seconds(1);
  EXPECT_THAT(plan_reload(now, {puller}, next, false).error().text(),
              HasSubstr("face.listen, face.max_wait are read only at the start"));
  ProcessOptions open_to_all;
  open_to_all.face.emplace();
  open_to_all.face->address = "0.0.0.0";
  EXPECT_THAT(plan_reload(open_to_all, {}, Reconfiguration(open_to_all, {puller}), false).error().text(),
              HasSubstr("face.allow_plain = true"));
}

TEST(ReloadPlan, every_setting_of_a_bot_is_compared) {
  // Where a secret is read from is no difference; what it holds is.
  const std::vector<std::string> apart{"token_env",           "token_file",      "webhook.secret_env",
                                       "webhook.secret_file", "push.secret_env", "push.secret_file"};
  BotConfig names;
  for (const Setting& listed : bot_settings_of(names)) {
    if (std::find(apart.begin(), apart.end(), listed.key) != apart.end()) continue;
    BotConfig config;
    if (listed.key.starts_with("webhook.")) config.source = SourceKind::webhook;
    if (listed.key.starts_with("push.")) config.handler = HandlerKind::push;
    if (listed.key.starts_with("pull.")) config.handler = HandlerKind::pull;
    const BotOptions before = options_of(config);
    for (const Setting& setting : bot_settings_of(config)) {
      if (setting.key != listed.key) continue;
      EXPECT_NE(other_value(setting), "") << listed.key;
    }
    EXPECT_THAT(differences(before, options_of(config)), Not(IsEmpty())) << listed.key;
  }
  BotOptions with_secrets(std::string(40, 't'));
  with_secrets.webhook.emplace();
  with_secrets.push.emplace();
  BotOptions other = with_secrets;
  other.token = "x";
  other.webhook->secrets = {"hidden"};
  other.push->secret = "hidden";
  EXPECT_THAT(differences(with_secrets, other), ElementsAre("token", "webhook.secret", "push.secret"));
}

}  // namespace
}  // namespace tgkeep::app
