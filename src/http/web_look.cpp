#include "http/web_look.hpp"

#include <curl/curl.h>

#include <array>
#include <memory>
#include <string_view>

#include "http/request_place.hpp"

namespace tgkeep::http {

namespace {

class EasyEnd {
 public:
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};

std::size_t take_nothing(char*, std::size_t, std::size_t, void*) noexcept {
  return 0;
}

/// When the first certificate, the server's own, ends.
std::optional<WallTime> certificate_end(CURL* easy) {
  constexpr std::string_view kExpires = "Expire date:";
  curl_certinfo* chain = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) != CURLE_OK || chain == nullptr) return std::nullopt;
  if (chain->num_of_certs < 1) return std::nullopt;
  for (const curl_slist* line = chain->certinfo[0]; line != nullptr; line = line->next) {
    const std::string text(line->data);
    if (!text.starts_with(kExpires)) continue;
    const time_t end = curl_getdate(text.c_str() + kExpires.size(), nullptr);
    if (end > 0) return from_millis(static_cast<std::int64_t>(end) * 1000);
  }
  return std::nullopt;
}

}  // namespace

WebLook look_at(const std::string& url, const std::string& ca_file, Duration timeout) {
  WebLook look;
  const RequestPlace place(url);
  const std::unique_ptr<CURL, EasyEnd> easy(curl_easy_init());
  if (!place.valid() || !easy) {
    look.trouble = place.valid() ? "out of memory" : "the URL has no http:// or https:// host";
    return look;
  }
  std::array<char, CURL_ERROR_SIZE> words{};
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count();
  curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(easy.get(), CURLOPT_CERTINFO, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(millis));
  curl_easy_setopt(easy.get(), CURLOPT_ERRORBUFFER, words.data());
  curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, &take_nothing);
  if (!ca_file.empty()) curl_easy_setopt(easy.get(), CURLOPT_CAINFO, ca_file.c_str());
  const CURLcode code = curl_easy_perform(easy.get());
  long status = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  look.status = static_cast<int>(status);
  look.certificate_until = certificate_end(easy.get());
  if (status != 0) return look;  // What breaks off after that is the body that nobody wants.
  const std::string_view plain = curl_easy_strerror(code);
  const std::string_view said = words[0] == '\0' ? plain : std::string_view(words.data());
  look.trouble = place.text() + ": " + std::string(place.safe(said, plain));
  look.bad_certificate = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CONNECT_ERROR ||
                         code == CURLE_SSL_CACERT_BADFILE;
  return look;
}

}  // namespace tgkeep::http
