#include "http/listening_place.hpp"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>

namespace tgkeep::http {

namespace {

using asio::ip::tcp;
using asio::local::stream_protocol;

constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

Error cannot_listen(const std::string& where, const std::string& why, const std::string& remedy) {
  return Error(Errc::network, "can't listen on " + where + ": " + why + "; " + remedy);
}

boost::system::error_code last_error() {
  return boost::system::error_code(errno, boost::system::system_category());
}

/// Makes room for a new socket at `path`.
Result<void> clear_stale(const asio::any_io_executor& loop, const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) {
    // What is wrong with the folder, bind will say.
    return Result<void>();
  }
  if (!S_ISSOCK(found.st_mode)) {
    return cannot_listen(path, "a file that is no socket is there",
                         "it is left alone: move it away, or choose another path");
  }
  stream_protocol::socket probe(loop);
  boost::system::error_code error;
  probe.open(stream_protocol(), error);
  // Somebody whose queue is full must not make us wait.
  if (!error) probe.non_blocking(true, error);
  if (!error) probe.connect(stream_protocol::endpoint(path), error);
  if (error == asio::error::connection_refused) {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) return Result<void>();
    return cannot_listen(path, "a stale socket can't be removed: " + last_error().message(),
                         "give this user the right to write to its folder");
  }
  if (!error || error == asio::error::would_block || error == asio::error::try_again) {
    return cannot_listen(path, "another process answers there",
                         "end it first, or choose another path for this one");
  }
  return cannot_listen(path, "a socket that can't be asked is there: " + error.message(),
                       "remove it if nobody uses it, or choose another path");
}

}  // namespace

void ListeningPlace::remove_socket_file() noexcept {
  struct stat found {};
  if (file.empty() || ::lstat(file.c_str(), &found) != 0) return;
  if (found.st_dev == device && found.st_ino == inode) ::unlink(file.c_str());
  file.clear();
}

Result<ListeningPlace> listen_on_tcp(const asio::any_io_executor& loop, const std::string& address,
                                     std::uint16_t port) {
  boost::system::error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) {
    return Error(Errc::bad_config, "can't listen on \"" + address +
                                       "\": not an IP address; use one like 127.0.0.1, 0.0.0.0 or ::");
  }
  const tcp::endpoint endpoint(ip, port);
  tcp::acceptor acceptor(loop);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  tcp::endpoint bound;
  if (!error) bound = acceptor.local_endpoint(error);
  if (error) {
    return cannot_listen(address + " port " + std::to_string(port), error.message(),
                         "choose another address or port, or end what uses it");
  }
  ListeningPlace place{StreamAcceptor(std::move(acceptor))};
  place.port = bound.port();
  place.text = address + " port " + std::to_string(place.port);
  return place;
}

Result<ListeningPlace> listen_on_unix(const asio::any_io_executor& loop, const std::string& path) {
  if (path.size() > kLongestPath) {
    return Error(Errc::bad_config, "can't listen on the Unix socket " + path + ": its path has " +
                                       std::to_string(path.size()) + " bytes, and the system takes at most " +
                                       std::to_string(kLongestPath) +
                                       "; choose a shorter one, such as in /run, or a relative one");
  }
  const Result<void> cleared = clear_stale(loop, path);
  if (cleared.has_error()) return cleared.error();
  boost::system::error_code error;
  stream_protocol::acceptor acceptor(loop);
  acceptor.open(stream_protocol(), error);
  if (!error) acceptor.bind(stream_protocol::endpoint(path), error);
  if (error) {
    return cannot_listen(path, error.message(), "the folder must exist and be writable for this user");
  }
  ListeningPlace place{StreamAcceptor(std::move(acceptor))};
  place.text = path;
  struct stat made {};
  if (::lstat(path.c_str(), &made) == 0) {
    place.file = path;
    place.device = made.st_dev;
    place.inode = made.st_ino;
  }
  // Nobody can connect before it listens.
  if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0) error = last_error();
  if (!error) place.acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    place.remove_socket_file();
    return cannot_listen(path, error.message(), "choose a path on a local disk");
  }
  return place;
}

}  // namespace tgkeep::http
