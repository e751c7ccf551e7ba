#include "app/commands/doctor_command.hpp"

#include <cstdio>

#include "app/ask/session.hpp"
#include "app/commands/exit_code.hpp"

namespace tgkeep::app {

DoctorCommand::DoctorCommand(CLI::App& app)
    : doctor_(*app.add_subcommand("doctor", "Look for what is wrong around tgkeep, and say what to do")) {
  doctor_.footer(
      "It looks at the configuration, what runs, ports, limits, the service, tokens, what Telegram reports, "
      "the\n"
      "webhook's URL and certificate, folders, disks, stores and the clock, and changes nothing anywhere.\n"
      "Exit code 1 when something is bad; a warning alone is 0.");
  add_config(doctor_, options_.config_file, options_.flags);
  doctor_.add_flag("--offline", options_.offline, "Ask nobody on the network");
  doctor_.add_flag("--json", json_, "Print {\"verdict\", \"checks\"}");
}

std::optional<int> DoctorCommand::run() {
  if (!doctor_.parsed()) return std::nullopt;
  const Findings findings = diagnose(options_);
  if (json_) {
    print_json(findings.json());
  } else {
    std::fputs(findings.text().c_str(), stdout);
  }
  const bool wrong_config =
      findings.all().front().check == "configuration" && findings.all().front().verdict == Verdict::bad;
  if (wrong_config) return code_of(Exit::wrong);
  return code_of(findings.worst() == Verdict::bad ? Exit::failed : Exit::done);
}

}  // namespace tgkeep::app
