// bench_canned_server [idle]: the cheapest Bot API there can be, in a process of its own. It answers each
// getUpdates at once with pre-rendered updates (about 0.9 KB, 1000 chats) whose ids alone are written anew,
// from the offset asked for; with `idle` it never has one. Files have 20 MB; other calls get a message. A
// long body is read at 50 MB/s, as a network would. It prints its port and ends when its input does.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

namespace {

constexpr std::size_t kMost = 100;
constexpr std::size_t kFile = 20'000'000;
constexpr std::size_t kLong = 64U << 10;  // a body that is longer is not kept

std::int64_t number_after(std::string_view text, std::string_view name, std::int64_t otherwise) {
  const auto place = text.find(name);
  if (place == std::string_view::npos) return otherwise;
  const auto digits = text.find_first_of("0123456789", place + name.size());
  if (digits == std::string_view::npos || digits > place + name.size() + 4) return otherwise;
  std::int64_t number = otherwise;
  std::from_chars(text.data() + digits, text.data() + text.size(), number);
  return number;
}

/// An answer of 100 updates; fewer are a prefix of it.
class Page {
 public:
  Page() {
    const std::string id(10, '0');
    const std::string chat = R"({"id":0000,"type":"private","first_name":"Test"})";
    std::string one = R"({"update_id":)" + id + R"(,"message":{"message_id":)" + id +
                      R"(,"date":1790000000,"chat":)" + chat +
                      R"(,"from":{"id":0000,"is_bot":false,"first_name":"Test"},"text":")" +
                      std::string(700, 'x') + R"("}})";
    update_at_ = one.find(id);
    message_at_ = one.find(id, update_at_ + id.size());
    chat_at_ = one.find(":0000,", message_at_) + 1;
    from_at_ = one.find(":0000,", chat_at_) + 1;
    size_ = one.size() + 1;
    for (std::size_t i = 0; i < kMost; ++i) text_ += one + ",";
  }

  /// `count` updates from `first` on, separated by commas.
  std::string_view render(std::int64_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      char* update = text_.data() + i * size_;
      const std::int64_t id = 1'000'000'000 + first + static_cast<std::int64_t>(i);
      const std::int64_t chat = 1000 + id % 1000;
      std::to_chars(update + update_at_, update + update_at_ + 10, id);
      std::to_chars(update + message_at_, update + message_at_ + 10, id);
      std::to_chars(update + chat_at_, update + chat_at_ + 4, chat);
      std::to_chars(update + from_at_, update + from_at_ + 4, chat);
    }
    return std::string_view(text_).substr(0, count == 0 ? 0 : count * size_ - 1);
  }

 private:
  std::string text_;
  std::size_t size_, update_at_, message_at_, chat_at_, from_at_;
};

bool send_all(int socket, std::array<std::string_view, 3> parts) {
  std::array<iovec, 3> pieces;
  for (std::size_t i = 0; i < 3; ++i) pieces[i] = {const_cast<char*>(parts[i].data()), parts[i].size()};
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = pieces.size();
  while (message.msg_iovlen > 0) {
    ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0) return false;
    while (message.msg_iovlen > 0 && static_cast<std::size_t>(sent) >= message.msg_iov->iov_len) {
      sent -= static_cast<ssize_t>(message.msg_iov->iov_len);
      ++message.msg_iov;
      --message.msg_iovlen;
    }
    if (message.msg_iovlen == 0) break;
    message.msg_iov->iov_base = static_cast<char*>(message.msg_iov->iov_base) + sent;
    message.msg_iov->iov_len -= static_cast<std::size_t>(sent);
  }
  return true;
}

constexpr std::string_view kMessage =
    R"({"ok":true,"result":{"message_id":12345,"from":{"id":123456,"is_bot":true,"first_name":"Bench",)"
    R"("username":"bench_bot"},"chat":{"id":1000,"first_name":"Test","type":"private"},"date":1790000000,)"
    R"("text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}})";

std::string head_of(std::size_t length, std::string_view type = "application/json") {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + std::string(type) +
         "\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
}

bool send_file(int socket) {
  const std::string piece(kLong, 'f');
  if (!send_all(socket, {head_of(kFile, "application/octet-stream"), "", ""})) return false;
  for (std::size_t left = kFile; left > 0;) {
    const std::string_view some = std::string_view(piece).substr(0, left);
    if (!send_all(socket, {some, "", ""})) return false;
    left -= some.size();
  }
  return true;
}

/// Reads so many bytes and keeps none.
bool swallow(int socket, std::size_t left) {
  std::array<char, kLong> piece;
  while (left > 0) {
    const ssize_t got = ::recv(socket, piece.data(), std::min(left, piece.size()), 0);
    if (got <= 0) return false;
    left -= static_cast<std::size_t>(got);
    std::this_thread::sleep_for(std::chrono::nanoseconds(got * 20));
  }
  return true;
}

/// Answers one request; false when the connection is to be closed.
bool answer(int socket, std::string_view request, Page& page, bool idle) {
  if (request.find(" /file/") != std::string_view::npos) return send_file(socket);
  if (request.find("/getUpdates") == std::string_view::npos) {
    // Of what a bot asks at its start only "yes" is expected; the rest sends.
    const bool sends = request.find("/send") != std::string_view::npos;
    const std::string_view body = sends ? kMessage : R"({"ok":true,"result":true})";
    return send_all(socket, {head_of(body.size()), body, ""});
  }
  // Ids are shown with 10^9 added, so that they are always ten digits; the offset comes back as shown.
  const std::int64_t offset = number_after(request, "offset", 0);
  const std::int64_t first = offset > 1'000'000'000 ? offset - 1'000'000'000 : 1;
  const auto limit = static_cast<std::size_t>(number_after(request, "limit", kMost));
  if (idle) ::sleep(50);  // a long poll that ends empty
  const std::string_view updates = page.render(first, idle ? 0 : std::min(limit, kMost));
  constexpr std::string_view kOpen = R"({"ok":true,"result":[)";
  const std::string head = head_of(kOpen.size() + updates.size() + 2) + std::string(kOpen);
  return send_all(socket, {head, updates, "]}"});
}

void serve(int socket, bool idle) {
  Page page;
  std::string buffer;
  std::array<char, 16384> piece;
  for (;;) {
    const auto head = buffer.find("\r\n\r\n");
    if (head != std::string::npos) {
      std::string lower = buffer.substr(0, head);
      for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      const auto body = static_cast<std::size_t>(number_after(lower, "content-length", 0));
      const std::size_t whole = head + 4 + body;
      if (body > kLong) {
        if (buffer.size() < whole && !swallow(socket, whole - buffer.size())) break;
        buffer.resize(head + 4);
        if (!answer(socket, buffer, page, idle)) break;
        buffer.clear();
        continue;
      }
      if (buffer.size() >= whole) {
        if (!answer(socket, std::string_view(buffer).substr(0, whole), page, idle)) break;
        if (lower.find("connection: close") != std::string::npos) break;
        buffer.erase(0, whole);
        continue;
      }
    }
    const ssize_t got = ::recv(socket, piece.data(), piece.size(), 0);
    if (got <= 0) break;
    buffer.append(piece.data(), static_cast<std::size_t>(got));
  }
  ::close(socket);
}

}  // namespace

int main(int argc, char** argv) {
  const bool idle = argc > 1 && std::string_view(argv[1]) == "idle";
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener, 128) != 0)
    return 1;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("%d\n", static_cast<int>(ntohs(address.sin_port)));
  std::fflush(stdout);
  std::thread([listener, idle] {
    for (;;) {
      const int socket = ::accept(listener, nullptr, nullptr);
      if (socket < 0) return;
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      std::thread(serve, socket, idle).detach();
    }
  }).detach();
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  std::_Exit(0);
}
