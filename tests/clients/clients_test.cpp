// Push against real receivers: down at first, killed twice while they work, answering everything an HTTP
// server can answer, with one update that takes 15 seconds. Each gets every update, each chat in order.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <set>
#include <sstream>

#include "clients/pipeline.hpp"
#include "clients/receiver.hpp"
#include "clients/recipe.hpp"
#include "clients/verdict.hpp"
#include "e2e/telegram_thread.hpp"
#include "e2e/temporary_folder.hpp"
#include "emulator/traffic.hpp"
#include "support/random.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kUpdates = 400;
constexpr std::size_t kChats = 50;
constexpr std::int64_t kFirstUpdate = 5'000'001;
constexpr std::int64_t kSlowMillis = 15'000;
constexpr std::string_view kSecret = "Recipe_secret-1";
constexpr std::int64_t kRetryAfterMillis = 2'000;
/// Of first attempts; half of them are good.
constexpr std::string_view kPlan =
    "200,302,200,400,200,404,200,410,200,429+2,200,500,200,502,200,503+2,200,hang_up,200,hang_up_after,"
    "200,throw,201,204";
const std::set<std::string> kAllAnswers = {"200", "201", "204", "302", "400",     "404",          "410",
                                           "429", "500", "502", "503", "hang_up", "hang_up_after"};

const std::set<std::string> kLaterAnswers = {"202", "302", "400", "404", "410",
                                             "429", "500", "502", "503", "hang_up"};

/// What to run, and what its test differs in.
class Recipe {
 public:
  explicit Recipe(std::function<Command(const Orders&)> command) : command(std::move(command)) {}
  std::function<Command(const Orders&)> command;
  bool answers_later = false;  ///< with 202
  TelegramThread* telegram = nullptr;
};

std::vector<Update> make_updates(std::uint64_t seed, Chats& chats) {
  emulator::Traffic traffic(seed, kChats);
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  std::vector<Update> updates;
  for (std::size_t n = 0; n < kUpdates; ++n) {
    const emulator::TrafficUpdate next = traffic.next();
    const std::int64_t id = kFirstUpdate + static_cast<std::int64_t>(n);
    const std::string raw =
        R"({"update_id":)" + std::to_string(id) + ",\n\"" + std::string(next.kind) + "\":" + next.body + "}";
    updates.push_back(telegram::read_update(BotId(4242), now, raw).value());
    chats[next.chat].push_back(id);
  }
  return updates;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::set<std::string> answers_in(const std::vector<Event>& story) {
  std::set<std::string> answers;
  for (const Event& event : story) {
    if (event.kind == Event::Kind::answer) answers.insert(event.answer);
  }
  return answers;
}

void run_against(const Recipe& recipe) {
  const Random random;
  TGKEEP_TRACE_SEED(random);
  const TemporaryFolder folder;
  Story story;
  Chats chats;
  std::vector<Update> updates = make_updates(random.seed(), chats);

  Orders orders;
  orders.port = choose_port();
  orders.secret = kSecret;
  orders.plan = kPlan;
  orders.plan_seed = random.seed() % 1000;
  orders.slow_update = updates.at(random.seed() % 20).id.value();
  orders.slow_millis = kSlowMillis;
  if (recipe.telegram != nullptr) {
    orders.api_root = recipe.telegram->root();
    orders.bot_token = kBotToken;
  }
  const Command command = recipe.command(orders);
  const std::string printed = folder.file("receiver");
  const std::string url = "http://127.0.0.1:" + std::to_string(orders.port) + "/updates";

  sink::PushOptions push(url);
  push.secret = kSecret;
  push.accept_202 = recipe.answers_later;
  push.lease = 3s;
  RunnerOptions rules;
  rules.first_delay = 100ms;
  Pipeline pipeline(folder.file("store"), folder.file("log"), push, rules, story);
  pipeline.put(std::move(updates));
  try {
    pipeline.start();
    story.wait_for(Event::Kind::refused, 2);

    for (const std::size_t share : {4, 2}) {
      Receiver receiver(command, printed, story);
      story.wait_for(Event::Kind::end, kUpdates / share);
      receiver.kill();
    }
    Receiver receiver(command, printed, story);
    story.wait_for(Event::Kind::done, kUpdates);
    EXPECT_EQ(pipeline.status_for(url, "another secret"), 401);
    EXPECT_EQ(pipeline.status_for(url, ""), 401);

    const StoreCounts counts = pipeline.stop();
    EXPECT_EQ(counts.inbox.stored, static_cast<std::int64_t>(kUpdates));
    EXPECT_EQ(counts.inbox.done, static_cast<std::int64_t>(kUpdates));
    EXPECT_TRUE(counts.inbox.dead.empty());
  } catch (const std::exception& trouble) {
    FAIL() << trouble.what() << "\nthe receiver printed:\n"
           << text_of(printed) << "\nthe log:\n"
           << text_of(folder.file("log"));
  }
  for (const std::string& broken : broken_promises(story.events(), chats, kRetryAfterMillis))
    ADD_FAILURE() << broken;
  EXPECT_EQ(answers_in(story.events()), recipe.answers_later ? kLaterAnswers : kAllAnswers);
  if (recipe.telegram != nullptr) {
    EXPECT_GE(recipe.telegram->sent().size(), kUpdates);
  }
  if (testing::Test::HasFailure()) std::cerr << text_of(printed) << text_of(folder.file("log"));
}

Recipe node(const std::string& file) {
  return Recipe([file](const Orders& orders) { return node_recipe(file, orders); });
}

TEST(Clients, express) {
  run_against(node("express.js"));
}

TEST(Clients, express_later) {
  Recipe recipe = node("express_later.js");
  recipe.answers_later = true;
  run_against(recipe);
}

TEST(Clients, fastify) {
  run_against(node("fastify.js"));
}

TEST(Clients, grammy_webhook) {
  TelegramThread telegram;
  Recipe recipe = node("grammy.js");
  recipe.telegram = &telegram;
  run_against(recipe);
}

TEST(Clients, flask) {
  run_against(Recipe(flask_recipe));
}

TEST(Clients, python_http) {
  run_against(Recipe(python_http_recipe));
}

}  // namespace
}  // namespace tgkeep::test
