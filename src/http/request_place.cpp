#include "http/request_place.hpp"

#include <curl/curl.h>

#include <memory>

namespace tgkeep::http {

namespace {

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(&curl_free)> owner(text, &curl_free);
  return text;
}

// Shorter pieces are no secrets, and too likely to be words of a message.
constexpr std::size_t kTelling = 6;

}  // namespace

RequestPlace::RequestPlace(const std::string& url, const std::string& unix_socket) : hidden_(url) {
  const Url parsed(curl_url(), &curl_url_cleanup);
  if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return;
  const std::string scheme = part(parsed.get(), CURLUPART_SCHEME);
  const std::string host = part(parsed.get(), CURLUPART_HOST);
  valid_ = (scheme == "http" || scheme == "https") && !host.empty();
  if (!valid_) return;
  secure_ = scheme == "https";
  text_ = host + " port " + part(parsed.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  if (!unix_socket.empty()) text_ = unix_socket;
  hidden_ = part(parsed.get(), CURLUPART_USER) + "/" + part(parsed.get(), CURLUPART_PASSWORD) + "/" +
            part(parsed.get(), CURLUPART_PATH) + "/" + part(parsed.get(), CURLUPART_QUERY);
}

std::string_view RequestPlace::safe(std::string_view words, std::string_view instead) const noexcept {
  std::string_view rest = hidden_;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of("/?&=:#%"), rest.size());
    const std::string_view piece = rest.substr(0, end);
    if (piece.size() >= kTelling && words.find(piece) != std::string_view::npos) return instead;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

}  // namespace tgkeep::http
