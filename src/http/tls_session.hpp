#pragma once
// The TLS of one accepted connection, over its non-blocking socket: it never waits, it says what to wait for.

#include <memory>
#include <span>
#include <string_view>

#include "http/tls_context.hpp"

using SSL = struct ssl_st;

namespace tgkeep::http {

class TlsSession {
 public:
  enum class Step {
    done,
    wants_read,  ///< try again when the socket is readable …
    wants_write,
    ended,   ///< the other side has closed
    failed,  ///< no more can be read or written
  };

  /// The descriptor stays open as long as this lives.
  TlsSession(const TlsContext& context, int descriptor);

  Step handshake();
  /// `size`: how many bytes were read or written; 0 unless done.
  Step read(std::span<char> into, std::size_t& size);
  Step write(std::string_view bytes, std::size_t& size);
  /// Decrypted bytes wait: the socket need not become readable for the next `read`.
  bool has_more() const noexcept;
  /// Tells the other side that nothing more comes.
  void end();
  /// Why the last step failed.
  const char* failure() const noexcept { return failure_; }

 private:
  class End {
   public:
    void operator()(SSL* session) const noexcept;
  };
  Step step_of(int result);

  std::unique_ptr<SSL, End> session_;
  const char* failure_ = "";
  bool usable_ = true;
};

}  // namespace tgkeep::http
