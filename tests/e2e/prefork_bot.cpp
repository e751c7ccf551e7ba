// A bot's web server as many are: eight processes behind one listening socket, each of which handles one
// request at a time. It says on stdout what each does: `begin PID UPDATE CHAT`, `end UPDATE`. A text "hold"
// that comes for the first time is never answered.

#include <netinet/in.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

namespace json = boost::json;

constexpr int kWorkers = 8;

/// One write, so that lines of several processes do not mix.
void say(const std::string& line) {
  if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(1);
}

/// The value of a header, or "".
std::string header(const std::string& head, const std::string& name) {
  const std::size_t at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

/// Reads until there are `size` bytes, or a blank line for 0; false when the peer is gone.
bool read_more(int connection, std::string& bytes, std::size_t size) {
  std::array<char, 4096> buffer{};
  while (size == 0 ? bytes.find("\r\n\r\n") == std::string::npos : bytes.size() < size) {
    const ssize_t count = ::read(connection, buffer.data(), buffer.size());
    if (count <= 0) return false;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return true;
}

void handle(int connection) {
  std::string bytes;
  if (!read_more(connection, bytes, 0)) return;
  const std::size_t body_at = bytes.find("\r\n\r\n") + 4;
  const std::string head = bytes.substr(0, body_at);
  const std::size_t size = std::stoul(header(head, "Content-Length"));
  if (!read_more(connection, bytes, body_at + size)) return;
  const json::value update = json::parse(bytes.substr(body_at, size));
  const std::string id = std::to_string(update.at("update_id").as_int64());
  const json::value& message = update.at("message");
  say("begin " + std::to_string(::getpid()) + " " + id + " " +
      std::to_string(message.at("chat").at("id").as_int64()) + "\n");
  if (message.at("text").as_string() == "hold" && header(head, "Tgkeep-Repeated").empty()) {
    say("holding " + std::to_string(::getpid()) + "\n");
    for (;;) ::pause();
  }
  say("end " + id + "\n");
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  if (::write(connection, answer.data(), answer.size()) < 0) return;
}

/// Shared by all processes, so that all of them take part: the first request of each waits for the others'.
pthread_barrier_t* make_barrier() {
  void* const memory =
      ::mmap(nullptr, sizeof(pthread_barrier_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  auto* const barrier = static_cast<pthread_barrier_t*>(memory);
  pthread_barrierattr_t shared;
  ::pthread_barrierattr_init(&shared);
  ::pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  ::pthread_barrier_init(barrier, &shared, kWorkers);
  return barrier;
}

[[noreturn]] void work(int listening, pthread_barrier_t* barrier) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (bool first = true;; first = false) {
    const int connection = ::accept(listening, nullptr, nullptr);
    if (connection < 0) continue;
    if (first) ::pthread_barrier_wait(barrier);
    handle(connection);
    ::close(connection);
  }
}

}  // namespace

int main() {
  const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (::bind(listening, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listening, 128) != 0)
    return 1;
  ::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size);
  pthread_barrier_t* const barrier = make_barrier();
  for (int i = 0; i < kWorkers; ++i) {
    if (::fork() == 0) work(listening, barrier);
  }
  say("listening " + std::to_string(ntohs(address.sin_port)) + " \n");
  while (::wait(nullptr) > 0) {
  }
  return 0;
}
