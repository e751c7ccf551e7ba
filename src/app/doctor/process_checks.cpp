#include "app/doctor/process_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "app/admin_settings.hpp"
#include "app/config_checks.hpp"
#include "app/display/amounts.hpp"
#include "app/display/bot_words.hpp"
#include "app/face_settings.hpp"
#include "app/wiring.hpp"

namespace tgkeep::app {

namespace {

// Half of what Telegram keeps updates for its own retries; a backlog of that age needs a person.
constexpr double kOld = 3600;

void check_queue(Findings& findings, const json::value& bot, const char* name) {
  const json::value& queue = member(bot, name);
  const std::string check = name;
  if (!member(queue, "balanced").is_null() && !flag_at(queue, "balanced")) {
    findings.bad(check, "the totals do not add up",
                 "stop tgkeep and run `tgkeep check`; then restore a backup");
    return;
  }
  const std::string dead = counts_text(member(queue, "dead"));
  const auto oldest = seconds_at(queue, "oldest_s");
  if (flag_at(queue, "paused")) {
    findings.warning(check, "deliveries are paused", "`tgkeep resume` goes on with them");
  } else if (flag_at(member(queue, "runner"), "stuck_pause")) {
    findings.bad(check, "too many handlers are stuck past their timeout: deliveries pause",
                 "mend the handler, or restart the bot");
  } else if (oldest && *oldest > kOld) {
    findings.warning(
        check, "the oldest waits for " + age_text(*oldest),
        "`tgkeep list --state retrying` shows what fails; else the bot is too slow for what comes");
  } else if (!dead.empty()) {
    findings.warning(check, "dead letters: " + dead,
                     "`tgkeep dead ls`, mend the cause, then `tgkeep dead retry --all`");
  } else {
    findings.ok(check,
                fmt::format("{} wait, {} run", number_at(queue, "pending") + number_at(queue, "retrying"),
                            number_at(queue, "in_flight")));
  }
}

void check_face(Findings& findings, const json::value& bot) {
  const json::value& face = member(bot, "face");
  if (!flag_at(face, "pulls")) return;
  const std::string webhook = text_at(face, "own_webhook");
  const auto last = seconds_at(face, "last_poll_s");
  if (nobody_polls(bot)) {
    findings.bad("face",
                 fmt::format("updates wait for it ({}), and the bot {}", number_at(face, "waiting"),
                             last ? "has fetched none for " + age_text(*last) : "has never asked for any"),
                 "start the bot, with the API root that tgkeep logs as face_opened");
  } else if (!webhook.empty()) {
    findings.ok("face", "the bot has set a webhook of its own, at " + webhook);
  } else {
    findings.ok("face", last ? "the bot polled " + age_text(*last) + " ago" : "the bot has not polled yet");
  }
}

/// Where the deliveries go: to the webhook that the bot itself has set, if it has.
std::string target_text(const json::value& bot) {
  const std::string own = text_at(member(bot, "face"), "own_webhook");
  return own.empty() ? text_at(member(bot, "target"), "kind") : "the bot's own webhook at " + own;
}

std::string last_failure(const json::value& bot) {
  const std::string error = text_at(member(bot, "face"), "own_webhook_error");
  return error.empty() ? "" : "; the last failure: " + error;
}

void check_bot(Findings& findings, const json::value& bot) {
  const json::value& source = member(bot, "source");
  if (source.is_object() && !flag_at(source, "healthy")) {
    findings.bad("source", "receiving is in trouble: " + text_at(source, "problem"),
                 "the log says more; docs/troubleshooting.md goes by what it says");
  } else if (seconds_at(source, "first_since_s")) {
    findings.ok("source", text_at(source, "kind") + ": the first poll is under way");
  } else if (source.is_object()) {
    findings.ok("source", text_at(source, "kind") + " works");
  }
  const json::value& reachable = member(member(bot, "target"), "reachable");
  if (reachable.is_bool() && !reachable.get_bool()) {
    findings.bad("target", target_text(bot) + " can't be reached or fails" + last_failure(bot),
                 "start or mend the bot; tgkeep asks it again by itself");
  }
  check_face(findings, bot);
  check_queue(findings, bot, "inbox");
  check_queue(findings, bot, "outbox");
  if (flag_at(member(bot, "store"), "full")) {
    findings.bad("store", "no room above the reserve: new updates are refused", "free disk space");
  }
}

/// Why nobody could listen there, or "".
std::string try_port(const std::string& address, std::uint16_t port) {
  namespace asio = boost::asio;
  boost::system::error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) return "\"" + address + "\" is no address of this machine";
  asio::io_context io(1);
  asio::ip::tcp::acceptor acceptor(io);
  const asio::ip::tcp::endpoint place(ip, port);
  acceptor.open(place.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(place, error);
  if (!error) acceptor.listen(1, error);
  return error ? error.message() : std::string();
}

void check_port(Findings& findings, const std::string& what, const std::string& address, std::uint16_t port,
                bool live) {
  const std::string place = fmt::format("{}:{}", address, port);
  if (port == 0) {
    findings.skipped(what, "any free port is taken");
    return;
  }
  const std::string wrong = try_port(address, port);
  if (wrong.empty() && live) {
    findings.warning(what, place + " is free, though tgkeep runs: it listens elsewhere",
                     "`tgkeep reload`, or restart it, if the configuration has changed");
  } else if (wrong.empty()) {
    findings.ok(what, place + " is free");
  } else if (live) {
    findings.ok(what, place + " is taken while tgkeep runs");
  } else {
    findings.bad(what, place + " can't be used: " + wrong,
                 "end what listens there (`ss -ltnp` shows it), or choose another one");
  }
}

class PipeEnd {
 public:
  void operator()(FILE* pipe) const noexcept { ::pclose(pipe); }
};

/// What `systemctl show` says of one property of a unit.
std::string unit_property(const std::string& unit, const std::string& property) {
  const std::string command =
      "systemctl show --property=" + property + " --value -- '" + unit + "' 2>/dev/null";
  const std::unique_ptr<FILE, PipeEnd> pipe(::popen(command.c_str(), "re"));
  if (!pipe) return {};
  std::string text(256, '\0');
  const std::size_t length = std::fread(text.data(), 1, text.size(), pipe.get());
  text.resize(length);
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

/// The service unit a process belongs to; "" when it is none of systemd's.
std::string unit_of(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t slash = line.rfind('/');
    if (slash == std::string::npos || !line.ends_with(".service")) continue;
    std::string unit = line.substr(slash + 1);
    const bool plain = std::all_of(unit.begin(), unit.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '@' || c == ':';
    });
    // A user's session is a service, too, but not one of ours.
    if (plain && !unit.starts_with("user@") && !unit.starts_with("session")) return unit;
  }
  return {};
}

}  // namespace

void check_status(Findings& findings, const json::value& status, const std::string& version) {
  const std::string running = text_at(status, "version");
  const std::string text = fmt::format("{} as process {}, for {}", running, number_at(status, "pid"),
                                       age_text(seconds_at(status, "uptime_s").value_or(0)));
  if (running != version) {
    findings.warning("process", text + fmt::format("; this program is {}", version),
                     "restart it to run what is installed");
  } else if (!flag_at(status, "receiving") || flag_at(status, "stopping")) {
    findings.warning("process", text + ", receives nothing",
                     "it is draining or stopping; `tgkeep drain --undo` receives again");
  } else {
    findings.ok("process", text);
  }
  const json::array& bots = list_at(status, "bots");
  for (const json::value& bot : bots) {
    findings.about(bots.size() > 1 ? bot_name(bot) : std::string());
    check_bot(findings, bot);
  }
  findings.about("");
}

void check_ports(Findings& findings, const Config& config, bool live) {
  const std::vector<BotConfig> bots = config.all_bots();
  const bool listens = std::any_of(bots.begin(), bots.end(),
                                   [](const BotConfig& bot) { return needs_listener(options_of(bot)); });
  if (listens) {
    check_port(findings, "listen", config.process.listen.address, config.process.listen.port, live);
  } else {
    findings.skipped("listen", "no bot needs the listener");
  }
  const std::optional<FaceOptions> face = face_to_open(config);
  if (face) check_port(findings, "face.listen", face->address, face->port, live);
  const std::optional<std::pair<std::string, std::uint16_t>> admin = admin_place(config);
  if (admin) check_port(findings, "admin.listen", admin->first, admin->second, live);
}

namespace {

/// Seconds in the words of systemd: `1min 30s`, `40s`, `infinity` (as 0). Nothing when it is no such text.
std::optional<double> read_timespan(const std::string& text) {
  if (text == "infinity") return 0;
  constexpr std::pair<std::string_view, double> kUnits[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1},
                                                            {"min", 60},  {"h", 3600},  {"d", 86400}};
  std::istringstream words(text);
  double seconds = 0;
  bool any = false;
  for (std::string word; words >> word; any = true) {
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    const auto* const unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                          [end](const auto& known) { return known.first == end; });
    if (end == word.c_str() || unit == std::end(kUnits)) return std::nullopt;
    seconds += number * unit->second;
  }
  return any ? std::optional(seconds) : std::nullopt;
}

}  // namespace

void check_systemd(Findings& findings, const Config& config, std::int64_t pid) {
  if (!std::filesystem::exists("/run/systemd/system")) {
    findings.skipped("systemd", "it does not run this machine");
    return;
  }
  if (pid == 0) {
    findings.skipped("systemd", "no process runs whose unit could be looked at");
    return;
  }
  const std::string unit = unit_of(pid);
  if (unit.empty()) {
    findings.warning("systemd", "the process is no service: nobody starts it again",
                     "deploy/tgkeep.service is a unit for it");
    return;
  }
  const double drain = std::chrono::duration<double>(config.process.drain).count();
  const std::optional<double> stop = read_timespan(unit_property(unit, "TimeoutStopUSec"));
  if (!stop) {
    findings.skipped("systemd", unit + ": its TimeoutStopSec is not known");
  } else if (*stop > 0 && *stop < drain + 2) {
    findings.bad("systemd",
                 fmt::format("{} kills it {} after a stop begins, but drain is {}", unit, age_text(*stop),
                             age_text(drain)),
                 fmt::format("set TimeoutStopSec to {:.0f} or more", drain + 10));
  } else {
    findings.ok("systemd", unit + " starts it again, and leaves it the time to stop");
  }
}

}  // namespace tgkeep::app
