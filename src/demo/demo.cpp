#include "demo/demo.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "demo/demo_run.hpp"
#include "loop/real_clock.hpp"
#include "loop/run_to_end.hpp"
#include "prove/store_witness.hpp"

namespace tgkeep::demo {

namespace asio = boost::asio;
using prove::read_store;
namespace fs = std::filesystem;

namespace {

constexpr int passed = 0;
constexpr int failed = 1;
constexpr int wrong_options = 2;
// So that every kill meets work in flight.
constexpr std::int64_t updates_per_kill = 20;

Error folder_error(const std::string& folder, const std::string& why) {
  return Error(Errc::bad_config,
               "the demo can't use the folder " + folder + ": " + why + "; name an empty one");
}

Result<std::string> make_folder(const std::string& wanted) {
  std::error_code error;
  if (wanted.empty()) {
    std::string path = (fs::temp_directory_path(error) / "tgkeep-demo-XXXXXX").string();
    if (error || ::mkdtemp(path.data()) == nullptr) return folder_error(path, "it can't be made");
    return path;
  }
  fs::create_directories(wanted, error);
  if (error) return folder_error(wanted, error.message());
  if (!fs::is_empty(wanted, error)) return folder_error(wanted, error ? error.message() : "it is not empty");
  return wanted;
}

Result<DemoOptions> complete(DemoOptions options) {
  if (options.updates < 1 || options.kills < 0 || options.chats < 1) {
    return Error(Errc::bad_config, "the demo needs at least 1 update, 1 chat and 0 kills");
  }
  if (options.kills > 0 && options.updates < updates_per_kill * (options.kills + 1)) {
    return Error(Errc::bad_config, "the demo needs more updates for so many kills: at least " +
                                       std::to_string(updates_per_kill * (options.kills + 1)));
  }
  options.push = options.push || options.kill_receiver;
  if (!options.pipeline_command.empty()) return options;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return Error(Errc::bad_config, "the demo can't find its own program: " + error.message());
  options.pipeline_command = {self.string(), "demo-pipeline"};
  return options;
}

Result<void> run_to_end(asio::io_context& io, DemoRun& run) {
  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&run](const boost::system::error_code& error, int) {
    if (!error) run.interrupt();
  });
  return loop::run_to_end(io, run.run());
}

/// Everything that is wrong, in words.
std::vector<std::string> report(const DemoOptions& options, const DemoRun& run, const Result<void>& ended) {
  std::vector<std::string> problems;
  if (ended.has_error()) problems.push_back(ended.error().text());
  StoreFigures store;
  const Result<StoreFigures> read = read_store(run.store_folder());
  if (read) {
    store = *read;
  } else {
    problems.push_back("the store can't be read at the end: " + read.error().text());
  }
  const Figures figures = run.figures(store);
  const Plan plan(options.kills, static_cast<std::int64_t>(options.chats));
  // Figures of a run that broke off would only repeat that it did.
  if (problems.empty()) problems = judge(figures, plan);
  for (const std::string& wrong : run.checker().problems()) problems.push_back(wrong);
  std::fputs(to_table(figures).c_str(), stdout);
  std::fprintf(stdout, "%s\n", to_json(figures).c_str());
  std::fflush(stdout);
  return problems;
}

int run_in(const std::string& folder, const DemoOptions& options) {
  std::vector<std::string> problems;
  {
    asio::io_context io(1);
    loop::RealClock clock(io.get_executor());
    DemoRun run(io, clock, options, folder);
    const Result<void> ended = run_to_end(io, run);
    problems = report(options, run, ended);
  }
  if (problems.empty()) {
    std::error_code ignored;
    if (options.folder.empty()) fs::remove_all(folder, ignored);
    std::fputs("Nothing was lost, nothing was out of order.\n", stderr);
    return passed;
  }
  std::fputs("The demo FAILED:\n", stderr);
  for (const std::string& problem : problems) std::fprintf(stderr, "  - %s\n", problem.c_str());
  std::fprintf(stderr, "Store and logs are kept in %s\n", folder.c_str());
  return failed;
}

}  // namespace

int run_demo(const DemoOptions& options) {
  const Result<DemoOptions> completed = complete(options);
  if (!completed) {
    std::fprintf(stderr, "tgkeep: %s\n", completed.error().text().c_str());
    return wrong_options;
  }
  const Result<std::string> folder = make_folder(options.folder);
  if (!folder) {
    std::fprintf(stderr, "tgkeep: %s\n", folder.error().text().c_str());
    return wrong_options;
  }
  return run_in(*folder, *completed);
}

}  // namespace tgkeep::demo
