#pragma once
// Path and query of a request to the admin interface.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tgkeep::app {

/// `/api/bots/shop/items?state=dead`: parts and values are escaped.
class Target {
 public:
  /// Parts of the path after `/api`.
  Target(std::initializer_list<std::string_view> parts);  // NOLINT(google-explicit-constructor)
  Target& add(std::string_view name, std::string_view value);
  Target& add(std::string_view name, std::int64_t value);
  const std::string& text() const { return text_; }

 private:
  std::string text_ = "/api";
  bool asked_ = false;
};

}  // namespace tgkeep::app
