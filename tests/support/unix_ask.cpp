#include "support/unix_ask.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

namespace tgkeep::test {

UnixAnswer ask_unix(const std::string& socket, const std::string& path, const std::string& json) {
  namespace asio = boost::asio;
  asio::io_context io;
  asio::local::stream_protocol::socket connection(io);
  boost::system::error_code failed;
  connection.connect(asio::local::stream_protocol::endpoint(socket), failed);
  if (failed) return UnixAnswer();
  std::string request =
      (json.empty() ? "GET " : "POST ") + path + " HTTP/1.1\r\nHost: localhost\r\n" + "Connection: close\r\n";
  if (!json.empty()) {
    request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(json.size()) + "\r\n";
  }
  asio::write(connection, asio::buffer(request + "\r\n" + json), failed);
  std::string answer;
  asio::read(connection, asio::dynamic_buffer(answer), failed);
  UnixAnswer result;
  const std::size_t head = answer.find("\r\n\r\n");
  if (head == std::string::npos) return result;
  result.status = std::stoi(answer.substr(9, 3));
  result.body = answer.substr(head + 4);
  return result;
}

}  // namespace tgkeep::test
