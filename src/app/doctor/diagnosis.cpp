#include "app/doctor/diagnosis.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <set>

#include "app/admin_settings.hpp"
#include "app/ask/http_caller.hpp"
#include "app/bot_secrets.hpp"
#include "app/commands/command_end.hpp"
#include "app/doctor/folder_checks.hpp"
#include "app/doctor/process_checks.hpp"
#include "app/doctor/store_checks.hpp"
#include "app/doctor/telegram_checks.hpp"
#include "app/doctor/webhook_checks.hpp"
#include "app/start_checks.hpp"

namespace tgkeep::app {

namespace {

using Environment = std::map<std::string, std::string>;

class Doctor {
 public:
  Doctor(const Config& config, bool offline, Findings& findings)
      : config_(config), offline_(offline), findings_(findings), environment_(process_environment()) {}

  void examine() {
    examine_start();
    examine_process();
    examine_machine();
    std::set<std::string> api_roots;
    const std::vector<BotConfig> bots = config_.all_bots();
    for (const BotConfig& bot : bots) {
      findings_.about(bot.name);
      examine_bot(bot);
      api_roots.insert(bot.options.api_root);
    }
    findings_.about("");
    for (const std::string& root : api_roots) {
      if (offline_) {
        findings_.skipped("clock", "--offline");
      } else {
        check_clock(findings_, io_, root);
      }
    }
  }

 private:
  /// But for the tokens, which are looked at with their bots.
  void examine_start() {
    const StartChecks start(config_, environment_);
    for (const auto* problems : {&start.wrong, &start.missing}) {
      for (const StartProblem& problem : *problems) {
        if (problem.what != "token")
          findings_.bad(problem.what, problem.text, "tgkeep does not start with it");
      }
    }
  }

  void examine_process() {
    socket_ = admin_socket(config_);
    switch (socket_.empty() ? SocketState::nobody : look_at_socket(socket_)) {
      case SocketState::forbidden:
        findings_.warning("process", socket_ + " may not be opened by this user",
                          "run this as the user that tgkeep runs as, such as with sudo -u");
        return;
      case SocketState::nobody:
        if (!socket_.empty() && std::filesystem::exists(socket_)) {
          findings_.warning("process", "none runs; " + socket_ + " is left from one that was killed",
                            "nothing: the next start replaces it");
        } else {
          findings_.skipped("process", "none runs on this configuration");
        }
        return;
      case SocketState::answers:
        break;
    }
    AdminRequest request("/api/status");
    request.timeout = std::chrono::seconds(20);
    const Result<AdminReply> reply = socket_caller(socket_)->ask(std::move(request));
    boost::system::error_code broken;
    json::value status;
    if (reply.has_value()) status = json::parse(reply->body, broken);
    if (reply.has_error() || broken || reply->status != 200) {
      findings_.bad("process",
                    reply.has_error() ? reply.error().text() : fmt::format("it answers {}", reply->status),
                    "its log may say why; if it hangs, restart it: nothing that is stored is lost");
      return;
    }
    live_ = true;
    pid_ = number_at(status, "pid");
    check_status(findings_, status, TGKEEP_VERSION);
  }

  void examine_machine() {
    check_ports(findings_, config_, live_);
    check_descriptors(findings_, pid_);
    check_systemd(findings_, config_, pid_);
    if (!config_.admin.token_file.empty() && !config_.admin.listen.empty()) {
      check_secret_file(findings_, "admin token file", config_.admin.token_file);
    }
  }

  void examine_bot(const BotConfig& bot) {
    for (const auto& [what, path] :
         {std::pair("token file", bot.token_file), std::pair("webhook secret file", bot.webhook_secret_file),
          std::pair("push secret file", bot.push_secret_file)}) {
      if (!path.empty()) check_secret_file(findings_, what, path);
    }
    const Result<std::string> token = read_token(bot, environment_);
    if (token.has_error()) {
      findings_.bad("token", token.error().text(), "the bot can't run without it");
    } else if (offline_) {
      findings_.skipped("token", "there is one; not tried (--offline)");
    } else {
      examine_telegram(bot, *token);
    }
    examine_store(bot);
  }

  void examine_telegram(const BotConfig& bot, const std::string& token) {
    const auto info = check_telegram(findings_, io_, bot, token);
    if (bot.source != SourceKind::webhook) return;
    std::string url = bot.webhook.url;
    if (url.empty() && info) url = info->url;
    if (!url.empty()) check_webhook_url(findings_, bot, url);
  }

  void examine_store(const BotConfig& bot) {
    if (bot.options.in_memory) {
      findings_.warning("store", "in memory: everything is forgotten at exit",
                        "name a folder for what must not be lost");
      return;
    }
    const Result<std::string> folder = folder_of(bot, environment_);
    if (folder.has_error()) {
      findings_.skipped("folder", "it is named by the bot's id, which the token tells");
      return;
    }
    check_folder(findings_, *folder, bot.options.reserve);
    check_store(findings_, io_, *folder, live_);
  }

  const Config& config_;
  bool offline_;
  Findings& findings_;
  Environment environment_;
  boost::asio::io_context io_{1};
  std::string socket_;
  bool live_ = false;
  std::int64_t pid_ = 0;
};

}  // namespace

Findings diagnose(const DoctorOptions& options) {
  ConfigSources sources;
  sources.file = options.config_file;
  sources.environment = process_environment();
  sources.flags = options.flags;
  const LoadedConfig loaded = load_config(sources);
  Findings findings;
  for (const std::string& problem : loaded.problems) {
    findings.bad("configuration", problem, "correct it; `tgkeep config defaults` prints every setting");
  }
  if (!loaded.problems.empty()) {
    findings.skipped("all else", "it depends on the configuration");
    return findings;
  }
  findings.ok("configuration",
              options.config_file.empty() ? "no file; variables and defaults" : options.config_file);
  Doctor(loaded.config, options.offline, findings).examine();
  return findings;
}

}  // namespace tgkeep::app
