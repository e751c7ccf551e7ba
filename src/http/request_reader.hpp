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
  enum class State { head, body, complete, bad };

  RequestReader(std::size_t max_header, std::size_t max_body);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// Takes bytes from the front and says how many; an unfinished head is not taken: offer it again with more.
  std::size_t take(std::string_view bytes);
  State state() const noexcept { return state_; }
  /// The status to refuse a `bad` request with.
  int refusal() const noexcept { return refusal_; }
  /// The client waits for "100 Continue" before it sends the body.
  bool expects_continue() const;
  /// The request in hand; complete only.
  bool keep_alive() const noexcept { return keep_alive_; }
  ServerRequest release();

 private:
  class Parser;
  void start();
  void refuse(int status) noexcept;
  void check_head();

  std::size_t max_header_;
  std::size_t max_body_;
  std::unique_ptr<Parser> parser_;
  State state_ = State::head;
  int refusal_ = 0;
  bool keep_alive_ = true;
};

}  // namespace tgkeep::http
