#include "clients/receiver.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <random>
#include <stdexcept>
#include <string_view>

extern char** environ;  // NOLINT

namespace tgkeep::test {

namespace {

constexpr int kJournal = 3;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  for (const auto& [name, value] : command.environment) variables.push_back(name + "=" + value);
  variables.push_back("JOURNAL_FD=" + std::to_string(kJournal));
  return variables;
}

bool is_free(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return bound;
}

}  // namespace

std::uint16_t choose_port() {
  std::random_device random;
  for (int trial = 0; trial < 1000; ++trial) {
    const auto port = static_cast<std::uint16_t>(10'000 + random() % 20'000);
    if (is_free(port)) return port;
  }
  throw std::runtime_error("no free port between 10000 and 30000");
}

Receiver::Receiver(const Command& command, const std::string& output, Story& story) : story_(story) {
  std::array<int, 2> journal{};
  if (::pipe2(journal.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe to be had");

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                   0644);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, journal[1], kJournal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);

  // It must not outlive a test that dies.
  std::vector<std::string> words{"setpriv", "--pdeathsig", "KILL"};
  words.insert(words.end(), command.words.begin(), command.words.end());
  std::vector<std::string> variables = environment_of(command);
  const int error = ::posix_spawnp(&pid_, words[0].c_str(), &files, &attributes, pointers(words).data(),
                                   pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(journal[1]);
  if (error != 0) {
    ::close(journal[0]);
    throw std::runtime_error("can't start " + words[0] + " (of util-linux)");
  }
  ear_ = std::thread([this, from = journal[0]] { listen(from); });
}

Receiver::~Receiver() {
  if (ear_.joinable()) kill();
}

void Receiver::listen(int journal) {
  std::string lines;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(journal, buffer.data(), buffer.size());
    if (count <= 0) break;  // the last process that holds the other end is gone
    lines.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = lines.find('\n'); end != std::string::npos; end = lines.find('\n', begin)) {
      story_.add(read_line(std::string_view(lines).substr(begin, end - begin)));
      begin = end + 1;
    }
    lines.erase(0, begin);
  }
  ::close(journal);
  if (!killed_) story_.add(Event(Event::Kind::died));
}

void Receiver::kill() {
  killed_ = true;
  ::kill(-pid_, SIGKILL);
  ear_.join();
  ::waitpid(pid_, nullptr, 0);
  story_.add(Event(Event::Kind::killed));
}

}  // namespace tgkeep::test
