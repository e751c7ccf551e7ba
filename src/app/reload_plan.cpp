#include "app/reload_plan.hpp"

#include <filesystem>
#include <map>
#include <system_error>

#include "app/bot_difference.hpp"
#include "app/face_options.hpp"
#include "app/wiring.hpp"
#include "sink/target_address.hpp"
#include "words/joined.hpp"

namespace tgkeep::app {

namespace {

std::string place_of(const std::string& folder) {
  std::error_code failed;
  std::filesystem::path path = std::filesystem::absolute(folder, failed);
  if (failed) return folder;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, failed);
  if (!failed) path = canonical;
  const std::string text = path.lexically_normal().string();
  return text.size() > 1 && text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

/// Settings of the process that are read once.
std::vector<std::string> need_restart(const ProcessOptions& now, const ProcessOptions& next, bool listening) {
  std::vector<std::string> names;
  const auto compare = [&names](const char* name, const auto& a, const auto& b) {
    if (!(a == b)) names.emplace_back(name);
  };
  if (listening) {
    compare("listen.address", now.listen.address, next.listen.address);
    compare("listen.port", now.listen.port, next.listen.port);
    compare("listen.certificate", now.listen.certificate, next.listen.certificate);
    compare("listen.key", now.listen.key, next.listen.key);
  }
  compare("handler_threads", now.handler_threads, next.handler_threads);
  compare("admin.socket", now.admin.socket, next.admin.socket);
  if (now.admin.address != next.admin.address || now.admin.port != next.admin.port) {
    names.emplace_back("admin.listen");
  }
  compare("admin.token", now.admin.token, next.admin.token);
  compare("admin.hosts", now.admin.hosts, next.admin.hosts);
  compare("health.max_age", now.admin.max_age, next.admin.max_age);
  return names;
}

/// Adds those of the face that runs, or will; one that nobody needs any more stays open.
void add_face(std::vector<std::string>& names, const FaceOptions& now, const FaceOptions& next) {
  const auto compare = [&names](const char* name, bool same) {
    if (!same) names.emplace_back(name);
  };
  compare("face.listen", now.address == next.address && now.port == next.port);
  compare("face.certificate", now.certificate == next.certificate);
  compare("face.key", now.key == next.key);
  compare("face.allow_plain", now.allow_plain == next.allow_plain);
  compare("face.max_wait", now.max_wait == next.max_wait);
  compare("face.max_waiting", now.max_waiting == next.max_waiting);
  compare("face.bulk_rate", now.bulk_rate == next.bulk_rate);
}

class Planner {
 public:
  Planner(const std::vector<BotOptions>& bots, const Reconfiguration& next) : next_(next) {
    for (const BotOptions& bot : bots) {
      const BotId id = bot_of(bot).value();
      running_.emplace(id, &bot);
      if (!bot.in_memory) places_.emplace(id, place_of(bot.folder));
    }
  }

  void check_process(const ProcessOptions& process, bool listening) {
    std::vector<std::string> names = need_restart(process, next_.process, listening);
    check_face(process, names);
    if (!names.empty()) {
      problems_.push_back(words::joined(names, ", ") + (names.size() == 1 ? " is" : " are") +
                          " read only at the start: put it back, or restart tgkeep");
    }
    const auto networks = sink::TargetAddresses::parse(next_.process.push_networks);
    if (networks.has_error()) problems_.push_back("push.allow: " + networks.error().text());
    if (next_.bots.empty()) problems_.emplace_back("no bot would be left: stop tgkeep instead");
  }

  void check_bots() {
    for (const BotOptions& bot : next_.bots) {
      const Result<void> checked = check_bot(bot);
      if (checked.has_error()) {
        say(bot, checked.error().text());
        continue;
      }
      const BotId id = bot_of(bot).value();
      const auto [same, is_new] = wanted_.emplace(id, &bot);
      if (!is_new) {
        say(bot, "has the token of " + name_of(*same->second) + ": drop one of them");
        continue;
      }
      check_path(bot);
      check_folder(id, bot);
    }
  }

  Result<ReloadPlan> plan() {
    if (!problems_.empty()) return Error(Errc::bad_config, words::joined(problems_, "; "));
    ReloadPlan plan;
    for (const auto& [id, bot] : running_) {
      if (!wanted_.contains(id)) plan.removed.push_back(id);
    }
    for (const BotOptions& bot : next_.bots) {
      const BotId id = bot_of(bot).value();
      plan.order.push_back(id);
      const auto now = running_.find(id);
      if (now == running_.end()) {
        plan.added.push_back(bot);
        continue;
      }
      std::vector<std::string> settings = differences(*now->second, bot);
      if (!settings.empty()) plan.changed.emplace_back(id, bot, std::move(settings));
    }
    return plan;
  }

 private:
  void check_face(const ProcessOptions& process, std::vector<std::string>& need_restart) {
    const std::optional<FaceOptions> next = face_of(next_.process, next_.bots);
    if (!next) return;
    if (!process.face) {
      problems_.emplace_back(
          "the face, where bots that pull fetch their updates, is opened only at the start: restart tgkeep");
      return;
    }
    add_face(need_restart, *process.face, *next);
    const std::string problem = face_problem(*next);
    if (!problem.empty()) problems_.push_back(problem);
  }

  void say(const BotOptions& bot, const std::string& sentence) {
    problems_.push_back(name_of(bot) + ": " + sentence);
  }

  void check_path(const BotOptions& bot) {
    if (!bot.webhook) return;
    const auto [taken, is_new] = paths_.emplace(bot.webhook->path, &bot);
    if (!is_new) {
      say(bot, "two bots have the webhook path " + taken->first + ", " + name_of(*taken->second) +
                   " too: give each its own");
    }
  }

  void check_folder(BotId id, const BotOptions& bot) {
    const auto now = running_.find(id);
    if (now != running_.end() && now->second->in_memory != bot.in_memory) {
      say(bot, "in_memory is read only at the start, what waits would be forgotten: put it back, or restart");
    }
    if (bot.in_memory) return;
    const std::string place = place_of(bot.folder);
    const auto before = places_.find(id);
    if (before != places_.end() && before->second != place) {
      say(bot, "folder can't change while it runs, what waits in " + now->second->folder +
                   " would stay there: put it back, or stop tgkeep, move the folder and start again");
    }
    const auto [taken, is_new] = folders_.emplace(place, &bot);
    if (!is_new) {
      say(bot, "folder " + bot.folder + " is that of " + name_of(*taken->second) + ": give each its own");
    }
    for (const auto& [other, its_place] : places_) {
      if (other == id || its_place != place) continue;
      say(bot, "folder " + bot.folder + " is still that of " + name_of(*running_.at(other)) +
                   ", which is running: give it its own");
    }
  }

  const Reconfiguration& next_;
  std::map<BotId, const BotOptions*> running_;
  std::map<BotId, std::string> places_;  // of those with files
  std::map<BotId, const BotOptions*> wanted_;
  std::map<std::string, const BotOptions*> paths_;
  std::map<std::string, const BotOptions*> folders_;
  std::vector<std::string> problems_;
};

}  // namespace

Result<ReloadPlan> plan_reload(const ProcessOptions& process, const std::vector<BotOptions>& bots,
                               const Reconfiguration& next, bool listening) {
  Planner planner(bots, next);
  planner.check_process(process, listening);
  planner.check_bots();
  return planner.plan();
}

std::string name_of(const BotOptions& bot) {
  return bot.name.empty() ? "the bot" : "bot " + bot.name;
}

}  // namespace tgkeep::app
