#include "telegram/json_parse.hpp"

#include <cstddef>

namespace tgkeep::telegram {

namespace {

// Parsers keep their buffers (about 14 times the longest text), so only those of ordinary updates are kept.
constexpr std::size_t kOrdinary = 64U << 10;

}  // namespace

ParsedJson::ParsedJson(const std::string& text) {
  thread_local simdjson::dom::parser ordinary;
  if (text.size() > kOrdinary) large_ = std::make_unique<simdjson::dom::parser>();
  root_ = large_ ? large_->parse(text) : ordinary.parse(text);
}

}  // namespace tgkeep::telegram
