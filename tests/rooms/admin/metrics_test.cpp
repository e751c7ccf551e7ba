// The exposition against its golden file, and docs/metrics.md against both.

#include "admin/metrics.hpp"

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

using namespace std::chrono_literals;

std::string file(const std::string& path) {
  std::ifstream stream(TGKEEP_SOURCE_DIR "/" + path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

LatencyHistogram samples(std::initializer_list<Duration> all) {
  LatencyHistogram histogram;
  for (const Duration sample : all) histogram.add(sample);
  return histogram;
}

RunnerStats busy_runner() {
  RunnerStats runner;
  runner.started = 12;
  runner.done = 7;
  runner.retried = 2;
  runner.dead = 1;
  runner.timed_out = 1;
  runner.running = 2;
  runner.stuck = 1;
  runner.flooded = 3;
  runner.target_paused = true;
  runner.waits = samples({2ms, 300ms});
  runner.handling = samples({20ms, 700s});
  return runner;
}

FaceStats busy_face(MonoTime mono) {
  FaceStats face;
  face.pulls = true;
  face.pull.polls = 8;
  face.pull.pollers = 1;
  face.pull.last_poll = mono - 2500ms;
  face.pull.handed_out = 12;
  face.pull.restarts = 1;
  face.pull.waiting = 3;
  face.pull.unconfirmed = 2;
  face.outgoing.passed = 30;
  face.outgoing.refused = 4;
  face.outgoing.not_sent = 2;
  face.outgoing.maybe_sent = 1;
  face.outgoing.held_back = 5;
  face.outgoing.hung_up = 6;
  face.outgoing.resent = 7;
  face.outgoing.waiting = 9;
  face.outgoing.running = 10;
  face.outgoing.flooded = 11;
  face.outgoing.waits = samples({1ms, 2s});
  return face;
}

BotPicture busy_bot(WallTime now, MonoTime mono) {
  BotPicture bot;
  bot.facts.id = BotId(123456);
  bot.facts.name = "shop \"1\"\n\xFF";
  bot.facts.source = "poll";
  bot.facts.limit = 500;
  bot.source.emplace();
  bot.source->received = 10;
  bot.source->stored = 9;
  bot.source->duplicates = 1;
  bot.source->unreadable = 1;
  bot.source->failures = 2;
  bot.source->healthy = true;
  bot.source->last_success = mono - 1500ms;
  bot.source->exchanges = samples({60ms, 30s});
  bot.source->puts = samples({4ms});
  bot.counts.emplace();
  QueueCounts& inbox = bot.counts->inbox;
  inbox.stored = 9;
  inbox.duplicates = 1;
  inbox.pending = 1;
  inbox.in_flight = 2;
  inbox.retrying = 1;
  inbox.done = 3;
  inbox.dead = {{"attempts", 1}};
  inbox.dropped = {{"operator", 1}};
  inbox.oldest = now - 3200ms;
  QueueCounts& outbox = bot.counts->outbox;
  outbox.stored = 5;
  outbox.held = 1;
  outbox.done = 3;
  outbox.dead = {{"refused", 1}};
  outbox.in_doubt = 1;
  bot.inbox.runner = busy_runner();
  bot.inbox.paused = true;
  bot.face = busy_face(mono);
  bot.outbox.runner = RunnerStats();
  bot.store.file_bytes = 4096;
  bot.store.wal_bytes = 8192;
  bot.store.history_bytes = 12288;
  bot.store.disk_free = 1'000'000'000;
  bot.store.reserve = 67'108'864;
  bot.store.commits = samples({3ms, 12ms});
  return bot;
}

Picture busy_picture() {
  Picture picture;
  picture.live = true;
  picture.receiving = true;
  picture.started = from_millis(1'764'450'000'500);
  picture.wall = from_millis(1'764'450'100'000);
  picture.mono = MonoTime(100s);
  picture.bots.push_back(busy_bot(picture.wall, picture.mono));
  BotPicture& broken = picture.bots.emplace_back();
  broken.facts.id = BotId(7);
  broken.facts.source = "webhook /hook";
  broken.facts.limit = 1;
  broken.source.emplace();
  broken.trouble = Error(Errc::store_broken, "the disk failed");
  return picture;
}

/// Name of each family with its type and the labels of its series, as the table of the document writes them.
std::map<std::string, std::string> families_of(const std::string& text) {
  std::map<std::string, std::string> types;
  std::map<std::string, std::set<std::string>> labels;
  std::istringstream lines(text);
  std::string line;
  std::string family;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string mark;
    std::string what;
    words >> mark >> what;
    if (mark == "#" && what == "TYPE") {
      words >> family;
      words >> types[family];
    }
    const std::size_t open = line.find('{');
    if (mark == "#" || open == std::string::npos) continue;
    std::size_t at = open + 1;
    while (line[at] != '}') {
      const std::size_t sign = line.find("=\"", at);
      labels[family].insert(line.substr(at, sign - at));
      at = sign + 2;
      while (line[at] != '"') at += line[at] == '\\' ? 2 : 1;
      at += line[at + 1] == ',' ? 2 : 1;
    }
  }
  std::map<std::string, std::string> shown;
  for (const auto& [name, type] : types) {
    std::string list;
    for (const std::string& label : labels[name]) {
      if (label == "le" || label == "bot" || label == "name") continue;
      list += (list.empty() ? "" : ", ") + label;
    }
    shown[name] = type + " | " + list;
  }
  return shown;
}

/// The same of the rows of the document.
std::map<std::string, std::string> families_of_document(const std::string& text) {
  std::map<std::string, std::string> shown;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.starts_with("| `")) continue;
    const std::size_t end = line.find('`', 3);
    const std::size_t type = line.find("| ", end) + 2;
    const std::size_t labels = line.find("| ", type) + 2;
    const std::size_t meaning = line.find("| ", labels);
    std::string list = line.substr(labels, meaning - labels);
    while (list.ends_with(' ')) list.pop_back();
    std::erase(list, '`');
    shown[line.substr(3, end - 3)] = line.substr(type, line.find(' ', type) - type) + " | " + list;
  }
  return shown;
}

TEST(Metrics, are_those_of_the_golden_file) {
  const std::string text = metrics_text(busy_picture(), "0.1.0");
  if (text == file("tests/golden/metrics.txt")) return;
  const std::string made = testing::TempDir() + "tgkeep-metrics.txt";
  std::ofstream(made) << text;
  FAIL() << "compare tests/golden/metrics.txt with " << made << " and, if the change is meant, copy it there";
}

TEST(Metrics, stand_in_the_document_with_type_and_labels_and_nothing_else_does) {
  EXPECT_EQ(families_of_document(file("docs/metrics.md")), families_of(file("tests/golden/metrics.txt")));
}

TEST_F(AdminDesk, shows_metrics_as_prometheus_text) {
  premises.add(1, "one");
  const http::ServerReply reply = get("/metrics");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(reply.body.find("tgkeep_stored_total{bot=\"1\",name=\"one\",queue=\"inbox\"} 0\n"),
            std::string::npos)
      << reply.body;
}

}  // namespace
}  // namespace tgkeep::admin
