#pragma once
// A look at a URL from outside: whether it answers, and how long its certificate holds. Blocks; for
// diagnosis, never on a loop.

#include <optional>
#include <string>
#include <tgkeep/time.hpp>
#include <type_traits>

namespace tgkeep::http {

class WebLook {
 public:
  WebLook() = default;
  int status = 0;                             ///< of the answer; 0: none came
  std::string trouble;                        ///< why none came, with host and port but without path or query
  bool bad_certificate = false;               ///< that was because of it
  std::optional<WallTime> certificate_until;  ///< of the server's own, over TLS
};

/// Asks with GET and reads nothing of the answer's body. `ca_file`: PEM certificates to trust instead of the
/// system's; "" = the system's.
WebLook look_at(const std::string& url, const std::string& ca_file, Duration timeout);

static_assert(!std::is_aggregate_v<WebLook>);

}  // namespace tgkeep::http
