#pragma once
// Texts with entities, as the Bot API has them: parse modes, explicit entities, and those found in plain
// text.

#include <boost/system/result.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "emulator/methods/refusal.hpp"
#include "emulator/world/json_access.hpp"

namespace tgkeep::emulator {

class FormattedText {
 public:
  FormattedText() = default;
  explicit FormattedText(std::string text) : text(std::move(text)) {}
  std::string text;
  json::array entities;  ///< MessageEntity, by offset
};

/// The length in the unit of offsets.
std::size_t utf16_length(std::string_view utf8) noexcept;
std::size_t code_points(std::string_view utf8) noexcept;

/// Commands, mentions, hashtags, cashtags, links and mail addresses of a plain text.
json::array find_entities(std::string_view text);

/// `Bad Request: can't parse entities: …` when the markup is wrong.
Checked<FormattedText> parse_html(std::string_view text);
Checked<FormattedText> parse_markdown(std::string_view text);
Checked<FormattedText> parse_markdown_v2(std::string_view text);

/// By parse mode (any case), or with `entities` (JSON text) when there is none. Blanks around the text go,
/// what can be found in it is added.
Checked<FormattedText> format_text(std::string_view text, std::string_view parse_mode,
                                   std::string_view entities);

json::object make_entity(std::string_view type, std::size_t offset, std::size_t length);

static_assert(!std::is_aggregate_v<FormattedText>);

}  // namespace tgkeep::emulator
