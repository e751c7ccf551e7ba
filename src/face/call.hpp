#pragma once
// One request of a bot to its face, read as far as it must be known before it is passed on.

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "face/face_path.hpp"
#include "http/server.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::face {

namespace asio = boost::asio;

/// Parameters of a request without its files, at most: more is 413.
inline constexpr std::size_t kMaxParams = 1U << 20;

class Call {
 public:
  Call() = default;
  /// What it asks for: of the path, or else the parameter. As written; compare ignoring case.
  std::string method;
  /// From the query and from what has been read of the body: all of them when `whole`, else those that stand
  /// before the first file that is too large to be held.
  telegram::Params params;
  bool whole = true;
  FacePath path;
  std::string http_method;  ///< GET or POST
  std::string content_type;
  std::string body;             ///< as received; when not `whole` its first part
  http::ServerRequest request;  ///< for its headers; its stream gives the rest of the body
};

/// A call, or the answer that refuses it.
class CallOrReply {
 public:
  CallOrReply() = default;  // asked for by co_spawn
  explicit CallOrReply(Call call) : call(std::move(call)) {}
  explicit CallOrReply(http::ServerReply reply) : reply(std::move(reply)) {}
  std::optional<Call> call;
  std::optional<http::ServerReply> reply;
};

/// Takes pieces until the end of the body or more than `most` bytes are there; true at the end.
asio::awaitable<bool> gather(std::string& body, std::shared_ptr<http::RequestStream> stream,
                             std::size_t most);

/// Reads the request until its parameters are known: of its body some more than `kMaxParams`, at most twice
/// as much.
asio::awaitable<CallOrReply> read_call(FacePath path, http::ServerRequest request);

static_assert(!std::is_aggregate_v<Call> && !std::is_aggregate_v<CallOrReply>);

}  // namespace tgkeep::face
