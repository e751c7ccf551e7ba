#pragma once
// A socket that listens: TCP, or a Unix socket with its file.

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <cstdint>
#include <string>
#include <tgkeep/error.hpp>
#include <type_traits>
#include <utility>

namespace tgkeep::http {

namespace asio = boost::asio;

using StreamAcceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

class ListeningPlace {
 public:
  explicit ListeningPlace(StreamAcceptor acceptor) : acceptor(std::move(acceptor)) {}
  /// Removes the file of the Unix socket, if it is still the one that was made.
  void remove_socket_file() noexcept;

  StreamAcceptor acceptor;
  std::uint16_t port = 0;  ///< 0: a Unix socket
  std::string text;        ///< for people
  std::string file;        ///< of the Unix socket
  dev_t device = 0;        ///< of that file
  ino_t inode = 0;
};

Result<ListeningPlace> listen_on_tcp(const asio::any_io_executor& loop, const std::string& address,
                                     std::uint16_t port);
/// A stale file is replaced; a socket that somebody answers on, and a file that is no socket, are errors.
Result<ListeningPlace> listen_on_unix(const asio::any_io_executor& loop, const std::string& path);

static_assert(!std::is_aggregate_v<ListeningPlace>);

}  // namespace tgkeep::http
