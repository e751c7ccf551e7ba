#include "rooms/http/certificate.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace tgkeep::test {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Paper = std::unique_ptr<X509, decltype(&X509_free)>;
using Extension = std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)>;
using File = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

void require(bool good) {
  if (!good) throw std::runtime_error("OpenSSL can't make a certificate");
}

void extend(X509* paper, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, paper, paper, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value), &X509_EXTENSION_free);
  require(extension && X509_add_ext(paper, extension.get(), -1) == 1);
}

Paper sign(EVP_PKEY* key) {
  Paper paper(X509_new(), &X509_free);
  require(paper != nullptr);
  X509_set_version(paper.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(paper.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(paper.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(paper.get()), 3600L * 24);
  X509_set_pubkey(paper.get(), key);
  X509_NAME* const name = X509_get_subject_name(paper.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("tgkeep test"),
                             -1, -1, 0);
  X509_set_issuer_name(paper.get(), name);
  extend(paper.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(paper.get(), NID_subject_alt_name, "IP:127.0.0.1,DNS:localhost");
  require(X509_sign(paper.get(), key, EVP_sha256()) > 0);
  return paper;
}

File open_file(const std::string& path) {
  File file(std::fopen(path.c_str(), "w"), &std::fclose);
  require(file != nullptr);
  return file;
}

}  // namespace

Certificates::Certificates() {
  std::string name = (std::filesystem::temp_directory_path() / "tgkeep_tls_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("can't make a folder at " + name);
  folder_ = name;
}

Certificates::~Certificates() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

http::TlsFiles Certificates::make(const std::string& name, const std::string& passphrase) {
  const http::TlsFiles files(path(name + ".pem"), path(name + ".key"));
  const Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  require(key != nullptr);
  const Paper paper = sign(key.get());
  require(PEM_write_X509(open_file(files.certificate).get(), paper.get()) == 1);
  const EVP_CIPHER* const lock = passphrase.empty() ? nullptr : EVP_aes_128_cbc();
  const auto* const secret = reinterpret_cast<const unsigned char*>(passphrase.data());
  require(PEM_write_PrivateKey(open_file(files.key).get(), key.get(), lock, secret,
                               static_cast<int>(passphrase.size()), nullptr, nullptr) == 1);
  return files;
}

}  // namespace tgkeep::test
