#include "http/tls_context.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

namespace tgkeep::http {

namespace {

std::string last_reason() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  return reason != nullptr ? reason : "no reason given";
}

Error bad_file(const std::string& what, const std::string& file, const std::string& why,
               const std::string& advice) {
  return Error(Errc::bad_config, "can't use the " + what + " " + file + ": " + why + "; " + advice);
}

std::string unreadable(const std::string& file) {
  errno = 0;
  const std::ifstream stream(file);
  if (stream) return {};
  return std::strerror(errno);
}

// Without it OpenSSL asks for a passphrase on the terminal, and waits.
int no_passphrase(char*, int, int, void* asked) noexcept {
  *static_cast<bool*>(asked) = true;
  return -1;
}

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                    unsigned offered_size, void*) noexcept {
  constexpr std::string_view kOurs = "\x08http/1.1";
  std::string_view rest(reinterpret_cast<const char*>(offered), offered_size);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, 1 + static_cast<unsigned char>(rest[0]));
    rest.remove_prefix(one.size());
    if (one != kOurs) continue;
    *chosen = reinterpret_cast<const unsigned char*>(one.data()) + 1;
    *size = static_cast<unsigned char>(one.size() - 1);
    return SSL_TLSEXT_ERR_OK;
  }
  return SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

void TlsContext::End::operator()(SSL_CTX* context) const noexcept {
  SSL_CTX_free(context);
}

TlsContext::TlsContext() : context_(SSL_CTX_new(TLS_server_method())) {
  if (!context_) throw std::bad_alloc();
}

void TlsContext::set_rules() {
  SSL_CTX* const context = context_.get();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context,
                      SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Sessions come back by tickets, which the client keeps: a cache here would grow with every visitor.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context, &choose_protocol, nullptr);
}

Result<void> TlsContext::use(const TlsFiles& files) {
  for (const auto& [what, file] :
       {std::pair("certificate", &files.certificate), std::pair("key", &files.key)}) {
    const std::string why = unreadable(*file);
    if (!why.empty()) return bad_file(what, *file, why, "give the path of a PEM file this process may read");
  }
  SSL_CTX* const context = context_.get();
  bool locked = false;
  SSL_CTX_set_default_passwd_cb(context, &no_passphrase);
  SSL_CTX_set_default_passwd_cb_userdata(context, &locked);
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1)
    return bad_file("certificate", files.certificate, last_reason(), "it must be PEM, the chain below it");
  // With a certificate already set, a key that does not belong to it is refused here.
  const bool taken = SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) == 1;
  SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
  if (locked) return bad_file("key", files.key, "it has a passphrase", "store it without one");
  if (!taken && ERR_GET_LIB(ERR_peek_last_error()) != ERR_LIB_X509)
    return bad_file("key", files.key, last_reason(), "it must be a private key as PEM");
  if (!taken || SSL_CTX_check_private_key(context) != 1)
    return bad_file("key", files.key, "it does not belong to the certificate " + files.certificate,
                    "give the pair that was made together");
  return Result<void>();
}

Result<std::shared_ptr<const TlsContext>> TlsContext::load(const TlsFiles& files) {
  const std::shared_ptr<TlsContext> context(new TlsContext());
  context->set_rules();
  const Result<void> used = context->use(files);
  ERR_clear_error();
  if (!used) return used.error();
  return std::shared_ptr<const TlsContext>(context);
}

}  // namespace tgkeep::http
