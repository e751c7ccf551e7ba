#pragma once
// Bytes → ServerRequest (Beast's parser behind it). No socket, no time.

#include <cstddef>
#include <memory>
#include <string_view>

#include "http/server.hpp"

namespace tgkeep::http {

/// Reads one request after another. After `bad` the connection can't be used for more.
class RequestReader {
 public:
  enum class State {
    head,      ///< its header is not whole yet
    check,     ///< look at `request` and `accept` it, or leave it: nothing of its body has been taken
    body,      ///< accepted, its body is not whole yet
    complete,  ///< to be released
    bad,
  };

  RequestReader(std::size_t max_header, std::size_t max_body);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// Takes bytes from the front and says how many; what it leaves in `head` and `body` is to be offered again
  /// with more behind it.
  std::size_t take(std::string_view bytes);
  State state() const noexcept { return state_; }
  /// Some bytes of the next request have been seen.
  bool begun() const noexcept { return begun_; }
  /// From `check` on; without its body until complete.
  ServerRequest& request() noexcept;
  /// Goes on from `check`.
  void accept();
  /// The status to refuse a `bad` request with.
  int refusal() const noexcept { return refusal_; }
  /// The client waits for "100 Continue" before it sends the body.
  bool expects_continue() const noexcept;
  /// The last complete request allows another one behind it.
  bool keep_alive() const noexcept { return keep_alive_; }
  /// The last complete request was HTTP/1.0: no chunks.
  bool is_old() const noexcept { return old_; }
  /// Takes the complete request out and starts with the next.
  ServerRequest release();
  /// Bytes of memory held by the request in hand, about.
  std::size_t held() const noexcept;

 private:
  class Parser;
  void start();
  void refuse(int status) noexcept;
  void take_head(std::string_view bytes, std::size_t& taken);
  void take_body(std::string_view bytes, std::size_t& taken);
  void end_head();
  void end_body();

  std::size_t max_header_;
  std::size_t max_body_;
  std::unique_ptr<Parser> parser_;
  State state_ = State::head;
  std::size_t head_size_ = 0;
  int refusal_ = 0;
  bool begun_ = false;
  bool keep_alive_ = true;
  bool old_ = false;
};

}  // namespace tgkeep::http
