// bench_fetch PORT WARM SECONDS: fetches updates from the face at 127.0.0.1:PORT as fast as they come, a
// hundred a call, and confirms them with the next call. Prints how many a second were fetched and confirmed.

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "connect.hpp"

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t number_at(std::string_view text, std::size_t place) {
  std::int64_t number = 0;
  std::from_chars(text.data() + place, text.data() + text.size(), number);
  return number;
}

/// One connection that polls.
class Poller {
 public:
  explicit Poller(int port) : socket_(bench::connect_to(port)) {}
  ~Poller() { ::close(socket_); }
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  /// How many updates came, or -1 when there was no good answer.
  std::int64_t poll() {
    const std::string request =
        "GET /bot123456:AAbenchbenchbenchbenchbenchbenchbenc/getUpdates?offset=" + std::to_string(offset_) +
        "&limit=100&timeout=10 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) < 0) return -1;
    answer_.clear();
    std::size_t whole = std::string::npos;
    while (answer_.size() < whole) {
      const ssize_t got = ::recv(socket_, piece_.data(), piece_.size(), 0);
      if (got <= 0) return -1;
      answer_.append(piece_.data(), static_cast<std::size_t>(got));
      if (whole == std::string::npos) whole = size_of_answer();
    }
    return count();
  }

 private:
  std::size_t size_of_answer() const {
    const auto head = answer_.find("\r\n\r\n");
    if (head == std::string::npos) return head;
    const auto length = answer_.find("Content-Length: ");
    if (length == std::string::npos || length > head) return 0;
    return head + 4 + static_cast<std::size_t>(number_at(answer_, length + 16));
  }

  std::int64_t count() {
    if (!answer_.starts_with("HTTP/1.1 200")) return -1;
    constexpr std::string_view kId = "{\"update_id\":";
    std::int64_t updates = 0;
    for (auto at = answer_.find(kId); at != std::string::npos; at = answer_.find(kId, at + kId.size())) {
      ++updates;
      offset_ = number_at(answer_, at + kId.size()) + 1;
    }
    return updates;
  }

  int socket_;
  std::int64_t offset_ = 0;
  std::string answer_;
  std::array<char, 128 << 10> piece_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: bench_fetch PORT WARM SECONDS\n", stderr);
    return 2;
  }
  Poller poller(std::atoi(argv[1]));
  const std::chrono::duration<double> warm(std::atof(argv[2]));
  const std::chrono::duration<double> length(std::atof(argv[3]));
  auto from = Clock::now();
  std::int64_t updates = 0;
  bool measuring = false;
  for (;;) {
    const std::int64_t some = poller.poll();
    if (some < 0) {
      std::fputs("bench_fetch: the face did not answer a getUpdates with 200\n", stderr);
      return 1;
    }
    // What came is confirmed by the next call: the first call of the measurement confirms what came before.
    const std::chrono::duration<double> passed = Clock::now() - from;
    if (!measuring && passed >= warm) {
      measuring = true;
      from = Clock::now();
      updates = 0;
    } else if (measuring && passed >= length) {
      std::printf("{\"per_s\": %.0f}\n", static_cast<double>(updates) / passed.count());
      return 0;
    }
    updates += some;
  }
}
