#include "http/tls_session.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <new>

namespace tgkeep::http {

namespace {

int descriptor_of(BIO* bio) noexcept {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
}

bool would_block() noexcept {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

int socket_read(BIO* bio, char* into, int size) noexcept {
  BIO_clear_retry_flags(bio);
  const auto got = ::recv(descriptor_of(bio), into, static_cast<std::size_t>(size), 0);
  if (got < 0 && would_block()) BIO_set_retry_read(bio);
  return static_cast<int>(got);
}

// OpenSSL's own socket BIO would raise SIGPIPE when the client has gone.
int socket_write(BIO* bio, const char* bytes, int size) noexcept {
  BIO_clear_retry_flags(bio);
  const auto put = ::send(descriptor_of(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (put < 0 && would_block()) BIO_set_retry_write(bio);
  return static_cast<int>(put);
}

long socket_control(BIO*, int command, long, void*) noexcept {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

class MethodEnd {
 public:
  void operator()(BIO_METHOD* method) const noexcept { BIO_meth_free(method); }
};
using Method = std::unique_ptr<BIO_METHOD, MethodEnd>;

Method make_method() {
  Method method(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tgkeep socket"));
  if (!method) throw std::bad_alloc();
  BIO_meth_set_read(method.get(), &socket_read);
  BIO_meth_set_write(method.get(), &socket_write);
  BIO_meth_set_ctrl(method.get(), &socket_control);
  return method;
}

const BIO_METHOD* socket_method() {
  static const Method method = make_method();
  return method.get();
}

int clamp(std::size_t size) noexcept {
  return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

}  // namespace

void TlsSession::End::operator()(SSL* session) const noexcept {
  SSL_free(session);
}

TlsSession::TlsSession(const TlsContext& context, int descriptor) : session_(SSL_new(context.native())) {
  BIO* const bio = session_ ? BIO_new(socket_method()) : nullptr;
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)));
  BIO_set_init(bio, 1);
  SSL_set_bio(session_.get(), bio, bio);
  SSL_set_accept_state(session_.get());
}

TlsSession::Step TlsSession::step_of(int result) {
  const int error = SSL_get_error(session_.get(), result);
  if (error == SSL_ERROR_NONE) return Step::done;
  if (error == SSL_ERROR_WANT_READ) return Step::wants_read;
  if (error == SSL_ERROR_WANT_WRITE) return Step::wants_write;
  if (error == SSL_ERROR_ZERO_RETURN) return Step::ended;
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  failure_ = reason != nullptr ? reason : "the connection broke";
  usable_ = false;
  return Step::failed;
}

// OpenSSL reads the verdict on a call from its queue of errors: an older one in it would be taken for this
// call's.
TlsSession::Step TlsSession::handshake() {
  ERR_clear_error();
  return step_of(SSL_do_handshake(session_.get()));
}

TlsSession::Step TlsSession::read(std::span<char> into, std::size_t& size) {
  size = 0;
  if (!usable_) return Step::failed;
  ERR_clear_error();
  const int got = SSL_read(session_.get(), into.data(), clamp(into.size()));
  if (got > 0) size = static_cast<std::size_t>(got);
  return step_of(got);
}

TlsSession::Step TlsSession::write(std::string_view bytes, std::size_t& size) {
  size = 0;
  if (!usable_) return Step::failed;
  ERR_clear_error();
  const int put = SSL_write(session_.get(), bytes.data(), clamp(bytes.size()));
  if (put > 0) size = static_cast<std::size_t>(put);
  return step_of(put);
}

bool TlsSession::has_more() const noexcept {
  return usable_ && SSL_pending(session_.get()) > 0;
}

void TlsSession::end() {
  if (!usable_ || SSL_is_init_finished(session_.get()) != 1) return;
  ERR_clear_error();
  if (SSL_shutdown(session_.get()) < 0) usable_ = false;
  ERR_clear_error();
}

}  // namespace tgkeep::http
