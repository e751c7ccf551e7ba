#include "app/cli.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <string_view>

#include "app/commands/command_end.hpp"
#include "app/commands/command_tree.hpp"
#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

/// Whether a text could be a bot's token: such a thing is never repeated on a screen.
bool like_token(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 3 || text.size() - colon < 20) return false;
  const std::string_view before = text.substr(0, colon);
  const std::size_t digits_from = before.find_last_not_of("0123456789");
  return digits_from == std::string_view::npos || before.size() - digits_from > 3;
}

bool names_token(int argc, char** argv) {
  // The emulator's tokens are nobody's secret.
  if (argc > 1 && std::string_view(argv[1]) == "emulate") return false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument(argv[i]);
    if (argument == "--token" || argument.starts_with("--token=") || like_token(argument)) return true;
  }
  return false;
}

int complain(Exit exit, const std::string& text) {
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::fprintf(stderr, "tgkeep: %s\n", safe_text(text.substr(from, end - from)).c_str());
    from = end + 1;
  }
  return code_of(exit);
}

}  // namespace

int run_cli(int argc, char** argv) {
  if (names_token(argc, argv)) {
    return complain(
        Exit::wrong,
        "a token among the arguments would show in the list of processes: put it into TGKEEP_TOKEN, "
        "or into a file named by --token-file");
  }
  CommandTree tree;
  try {
    tree.app().parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return code_of(tree.app().exit(error) == 0 ? Exit::done : Exit::wrong);
  }
  try {
    return tree.run();
  } catch (const CommandEnd& end) {
    // Only what the admin interface said is JSON; it is said where programs look for answers.
    if (!end.json().empty() && tree.wants_json()) std::printf("%s\n", end.json().c_str());
    return complain(end.exit(), end.text());
  }
}

}  // namespace tgkeep::app
