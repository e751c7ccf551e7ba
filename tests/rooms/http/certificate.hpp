#pragma once
// Certificates made for a test: signed by themselves, for 127.0.0.1 and localhost.

#include <filesystem>
#include <string>

#include "http/server.hpp"

namespace tgkeep::test {

/// A folder that goes with its certificates.
class Certificates {
 public:
  Certificates();
  ~Certificates();
  Certificates(const Certificates&) = delete;
  Certificates& operator=(const Certificates&) = delete;

  /// Writes NAME.pem and NAME.key, or new ones in their place; the key behind a passphrase, if one is given.
  http::TlsFiles make(const std::string& name, const std::string& passphrase = "");
  std::string path(const std::string& file) const { return (folder_ / file).string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace tgkeep::test
