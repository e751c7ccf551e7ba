#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

extern char** environ;  // NOLINT

namespace tgkeep::test {

namespace {

constexpr int kPatienceMillis = 300'000;

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  void redirect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe to be had");
  return ends;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

Process::Process(const std::vector<std::string>& command,
                 const std::map<std::string, std::string>& environment) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("TGKEEP_")) variables.emplace_back(*entry);
  }
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<std::string> arguments = command;

  const auto out = make_pipe();
  const auto in = make_pipe();
  SpawnActions actions;
  actions.redirect(in[0], STDIN_FILENO);
  actions.redirect(out[1], STDOUT_FILENO);
  actions.redirect(out[1], STDERR_FILENO);
  const int error = ::posix_spawn(&pid_, arguments[0].c_str(), actions.get(), nullptr,
                                  pointers(arguments).data(), pointers(variables).data());
  ::close(in[0]);
  ::close(out[1]);
  out_ = out[0];
  in_ = in[1];
  if (error != 0) throw std::runtime_error("can't start " + command[0]);
}

Process::~Process() {
  if (!reaped_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(out_);
  if (in_ != -1) ::close(in_);
}

bool Process::read_more() {
  pollfd waiting{out_, POLLIN, 0};
  if (::poll(&waiting, 1, kPatienceMillis) <= 0) {
    throw std::runtime_error("the process said nothing for five minutes; before that:\n" + output_);
  }
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(out_, buffer.data(), buffer.size());
  if (count <= 0) return false;
  output_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

bool Process::wait_for_line(std::string_view part) {
  for (;;) {
    for (std::size_t end = output_.find('\n', seen_); end != std::string::npos;
         end = output_.find('\n', seen_)) {
      const std::string_view line = std::string_view(output_).substr(seen_, end - seen_);
      seen_ = end + 1;
      if (line.find(part) != std::string_view::npos) return true;
    }
    if (!read_more()) return false;
  }
}

void Process::tell(std::string_view text) {
  if (::write(in_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("the process does not read its stdin");
  }
}

void Process::end_input() {
  ::close(in_);
  in_ = -1;
}

void Process::signal(int number) {
  ::kill(pid_, number);
}

int Process::wait() {
  while (read_more()) {
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  reaped_ = true;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace tgkeep::test
