#pragma once
// Where a request goes, as far as it may be told: host and port, never path, query or user.

#include <string>
#include <string_view>

namespace tgkeep::http {

class RequestPlace {
 public:
  /// With `unix_socket`: where that is, whatever host the URL names.
  explicit RequestPlace(const std::string& url, const std::string& unix_socket = {});
  bool valid() const noexcept { return valid_; }
  bool secure() const noexcept { return secure_; }
  /// "host port 443", the Unix socket, or "an unreadable URL".
  const std::string& text() const noexcept { return text_; }
  /// `words` when nothing of the URL's path, query or user shows in them, else `instead`.
  std::string_view safe(std::string_view words, std::string_view instead) const noexcept;

 private:
  bool valid_ = false;
  bool secure_ = false;
  std::string text_ = "an unreadable URL";
  std::string hidden_;
};

}  // namespace tgkeep::http
