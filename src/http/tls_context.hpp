#pragma once
// A certificate and its key, loaded and checked (OpenSSL).

#include <memory>

#include "http/server.hpp"

using SSL_CTX = struct ssl_ctx_st;

namespace tgkeep::http {

/// TLS 1.2 and later. Sessions keep what they need of it alive.
class TlsContext {
 public:
  /// The error names the file.
  static Result<std::shared_ptr<const TlsContext>> load(const TlsFiles& files);

  SSL_CTX* native() const noexcept { return context_.get(); }

 private:
  class End {
   public:
    void operator()(SSL_CTX* context) const noexcept;
  };

  TlsContext();
  void set_rules();
  Result<void> use(const TlsFiles& files);

  std::unique_ptr<SSL_CTX, End> context_;
};

}  // namespace tgkeep::http
