// bench_steady_load PORT RATE CONNECTIONS SECONDS [PATH]: posts updates to /webhook, or messages to a chat
// each to PATH, at a steady rate, on connections that take turns. An answer's time counts from the moment its
// request was due, so that a stall is not hidden by the requests it held back. Prints percentiles.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "connect.hpp"

namespace {

using Clock = std::chrono::steady_clock;

std::string post(const std::string& path, const std::string& body) {
  return "POST " + path +
         " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string update(long id) {
  const std::string number = std::to_string(id);
  const std::string chat = std::to_string(1000 + id % 1000);
  const std::string body = R"({"update_id":)" + number + R"(,"message":{"message_id":)" + number +
                           R"(,"date":1790000000,"chat":{"id":)" + chat +
                           R"(,"type":"private","first_name":"Test"},"from":{"id":)" + chat +
                           R"(,"is_bot":false,"first_name":"Test"},"text":")" + std::string(700, 'x') +
                           R"("}})";
  return post("/webhook", body);
}

std::string message(const std::string& path, long id) {
  return post(
      path, R"({"chat_id":)" + std::to_string(1000 + id) + R"(,"text":")" + std::string(100, 'x') + R"("})");
}

/// Sends and waits for the head of the answer; answers here have short bodies, in the same piece.
bool exchange(int socket, const std::string& text) {
  if (::send(socket, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    return false;
  std::array<char, 4096> answer;
  const ssize_t got = ::recv(socket, answer.data(), answer.size(), 0);
  return got > 12 && std::string_view(answer.data(), 12) == "HTTP/1.1 200";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) {
    std::fputs("usage: bench_steady_load PORT RATE CONNECTIONS SECONDS [PATH]\n", stderr);
    return 2;
  }
  const int port = std::atoi(argv[1]);
  const double rate = std::atof(argv[2]);
  const int connections = std::atoi(argv[3]);
  const long requests = static_cast<long>(rate * std::atof(argv[4]));
  const std::string path = argc == 6 ? argv[5] : "";
  const auto start = Clock::now() + std::chrono::milliseconds(200);
  std::vector<std::vector<double>> millis(static_cast<std::size_t>(connections));
  std::vector<std::thread> threads;
  for (int first = 0; first < connections; ++first) {
    threads.emplace_back([=, &path, &times = millis[static_cast<std::size_t>(first)]] {
      const int socket = bench::connect_to(port);
      for (long id = first; id < requests && socket >= 0; id += connections) {
        const std::string text = path.empty() ? update(1'000'000 + id) : message(path, id);
        const auto due = start + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(double(id) / rate));
        std::this_thread::sleep_until(due);
        if (!exchange(socket, text)) break;
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - due).count());
      }
      ::close(socket);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<double> all;
  for (const auto& some : millis) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all);
  if (static_cast<long>(all.size()) != requests) {
    std::fprintf(stderr, "bench_steady_load: %zu of %ld requests were answered with 200\n", all.size(),
                 requests);
    return 1;
  }
  const auto at = [&](double part) { return all[static_cast<std::size_t>(part * double(all.size() - 1))]; };
  std::printf("{\"p50_ms\": %.3f, \"p99_ms\": %.3f, \"max_ms\": %.3f}\n", at(0.5), at(0.99), all.back());
  return 0;
}
