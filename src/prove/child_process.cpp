#include "prove/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <system_error>

extern char** environ;

namespace tgkeep::prove {

namespace {

constexpr int first_other_descriptor = 3;

class FileActions {
 public:
  explicit FileActions(const std::string& output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
#ifdef __GLIBC__
    // A child that held the emulator's connections would keep them open after they end.
    posix_spawn_file_actions_addclosefrom_np(&actions_, first_other_descriptor);
#endif
  }
  ~FileActions() {
    posix_spawn_file_actions_destroy(&actions_);
  }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const {
    return &actions_;
  }

 private:
  posix_spawn_file_actions_t actions_;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('=') + 1);
}

std::vector<std::string> environment_with(std::vector<std::string> additions) {
  std::vector<std::string> variables = std::move(additions);
  const std::size_t added = variables.size();
  for (char** variable = environ; *variable != nullptr; ++variable) {
    bool replaced = false;
    for (std::size_t i = 0; i < added; ++i)
      replaced = replaced || name_of(variables[i]) == name_of(*variable);
    if (!replaced) variables.emplace_back(*variable);
  }
  return variables;
}

std::string words_for(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

Result<ChildProcess> ChildProcess::start(std::vector<std::string> command, std::vector<std::string> additions,
                                         const std::string& output) {
  std::vector<std::string> environment = environment_with(std::move(additions));
  const std::vector<char*> arguments = pointers(command);
  const std::vector<char*> variables = pointers(environment);
  const FileActions actions(output);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, command.front().c_str(), actions.get(), nullptr, arguments.data(),
                                  variables.data());
  if (error == 0) return ChildProcess(pid);
  return Error(Errc::bad_config, "can't start " + command.front() + ": " +
                                     std::generic_category().message(error) +
                                     "; check that the file is there and may be run");
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  end();
  pid_ = std::exchange(other.pid_, 0);
  return *this;
}

void ChildProcess::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

std::optional<std::string> ChildProcess::ended() {
  int status = 0;
  if (pid_ == 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  pid_ = 0;
  return words_for(status);
}

void ChildProcess::end() noexcept {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

}  // namespace tgkeep::prove
