#pragma once
// simdjson's parser, kept from one update to the next.

#include <simdjson.h>

#include <memory>
#include <string>

namespace tgkeep::telegram {

/// A parsed text; valid until the next one is parsed on this thread.
class ParsedJson {
 public:
  explicit ParsedJson(const std::string& text);
  simdjson::simdjson_result<simdjson::dom::element> root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> large_;
  simdjson::simdjson_result<simdjson::dom::element> root_;
};

}  // namespace tgkeep::telegram
