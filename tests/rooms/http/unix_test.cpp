// A server on a Unix socket, and its file.

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "rooms/http/server_desk.hpp"

namespace tgkeep::http {
namespace {

class HttpUnix : public HttpServer {
 protected:
  HttpUnix() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tgkeep-unix-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = pattern;
    path = folder + "/admin.sock";
    options.unix_path = path;
  }
  void TearDown() override {
    HttpServer::TearDown();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  ClientResult sent(std::string target) {
    ClientRequest request("GET", "http://localhost" + target);
    request.unix_socket = path;
    return test::run(io, client.send(std::move(request)));
  }
  std::string refusal() {
    const auto listening = listen(io.get_executor(), options, &echo, Log());
    return listening.has_error() ? listening.error().text() : "";
  }
  /// A socket file that nobody listens on, as a process that was killed leaves it.
  void leave_stale() {
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    std::memcpy(place.sun_path, path.data(), path.size());
    ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&place), sizeof(place)), 0);
    ::close(descriptor);
  }

  std::string folder;
  std::string path;
  Client client{io.get_executor()};
};

TEST_F(HttpUnix, answers_a_client_on_its_socket_again_and_again) {
  listen_with(&echo);
  for (int i = 0; i < 3; ++i) {
    const ClientResult result = sent("/a?b=" + std::to_string(i));
    ASSERT_TRUE(result.has_value()) << result.error().text;
    EXPECT_EQ(result->body, "GET /a?b=" + std::to_string(i) + " ");
  }
  EXPECT_EQ(server->port(), 0);
  EXPECT_EQ(server->stats().accepted, 1U);
}

TEST_F(HttpUnix, has_no_peer_address) {
  std::string peer = "?";
  listen_with([&peer](ServerRequest request) {
    peer = request.peer;
    return echo(std::move(request));
  });
  ASSERT_TRUE(sent("/").has_value());
  EXPECT_EQ(peer, "");
}

TEST_F(HttpUnix, lets_only_its_own_user_open_the_socket) {
  const mode_t before = ::umask(0);
  listen_with(&echo);
  ::umask(before);
  struct stat found {};
  ASSERT_EQ(::lstat(path.c_str(), &found), 0);
  EXPECT_TRUE(S_ISSOCK(found.st_mode));
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(HttpUnix, replaces_a_stale_socket) {
  leave_stale();
  listen_with(&echo);
  EXPECT_TRUE(sent("/").has_value());
}

TEST_F(HttpUnix, refuses_a_path_where_somebody_answers_and_names_it) {
  listen_with(&echo);
  const std::string text = refusal();
  EXPECT_NE(text.find(path), std::string::npos) << text;
  EXPECT_NE(text.find("another process answers there"), std::string::npos) << text;
  EXPECT_TRUE(sent("/").has_value());
}

TEST_F(HttpUnix, never_deletes_a_file_that_is_no_socket) {
  std::ofstream(path) << "precious";
  const std::string text = refusal();
  EXPECT_NE(text.find("no socket"), std::string::npos) << text;
  std::string word;
  std::ifstream(path) >> word;
  EXPECT_EQ(word, "precious");
}

TEST_F(HttpUnix, never_follows_a_link_to_delete_what_is_behind_it) {
  std::filesystem::create_symlink(folder + "/elsewhere", path);
  EXPECT_NE(refusal(), "");
  EXPECT_TRUE(std::filesystem::is_symlink(path));
}

TEST_F(HttpUnix, says_what_to_do_about_a_path_that_is_too_long) {
  options.unix_path = folder + "/" + std::string(108 - folder.size() - 1, 'x');
  const std::string text = refusal();
  EXPECT_NE(text.find("108 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("choose a shorter one"), std::string::npos) << text;
  options.unix_path.pop_back();
  path = options.unix_path;
  listen_with(&echo);
  EXPECT_TRUE(sent("/").has_value());
}

TEST_F(HttpUnix, names_a_folder_that_is_not_there) {
  options.unix_path = folder + "/no/admin.sock";
  EXPECT_NE(refusal().find(options.unix_path), std::string::npos);
}

TEST_F(HttpUnix, removes_its_socket_when_it_stops) {
  listen_with(&echo);
  test::run(io, server->stop(std::chrono::seconds(0)));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(HttpUnix, leaves_a_socket_alone_that_another_has_put_in_its_place) {
  listen_with(&echo);
  std::filesystem::remove(path);
  std::unique_ptr<Server> second = listen(io.get_executor(), options, &echo, Log()).value();
  test::run(io, server->stop(std::chrono::seconds(0)));
  EXPECT_TRUE(std::filesystem::exists(path));
  server = std::move(second);
}

TEST_F(HttpUnix, tells_a_client_that_nobody_is_there) {
  const ClientResult result = sent("/secret-path");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, ClientError::Kind::not_sent);
  EXPECT_NE(result.error().text.find(path), std::string::npos) << result.error().text;
  EXPECT_EQ(result.error().text.find("secret-path"), std::string::npos) << result.error().text;
}

TEST_F(HttpUnix, is_reached_whatever_proxy_and_address_rule_a_client_has) {
  ClientOptions choosy;
  choosy.proxy = "http://127.0.0.1:1";
  choosy.allowed = [](std::string_view) { return false; };
  Client other(io.get_executor(), choosy);
  listen_with(&echo);
  ClientRequest request("GET", "http://localhost/");
  request.unix_socket = path;
  const ClientResult result = test::run(io, other.send(std::move(request)));
  EXPECT_TRUE(result.has_value()) << result.error().text;
}

}  // namespace
}  // namespace tgkeep::http
