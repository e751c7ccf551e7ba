#pragma once
// A message the bot sends: what all of them have, and where they are kept.

#include <optional>
#include <string_view>

#include "emulator/methods/call.hpp"
#include "emulator/text/formatted_text.hpp"

namespace tgkeep::emulator {

/// Everything but the content, with a new message_id.
Checked<json::object> begin_message(const Call& call, std::int64_t chat);

/// Adds `content` to a begun message and keeps it; returns it as kept.
json::object keep_message(const Call& call, std::int64_t chat, json::object message, json::object content);

/// The inline keyboard of `reply_markup`, checked; nothing when there is none, or another kind of markup.
Checked<std::optional<json::object>> read_inline_keyboard(const Call& call);

/// Puts text and entities into `content` under the names the Bot API has for them.
void add_text(json::object& content, std::string_view text_name, std::string_view entities_name,
              FormattedText formatted);

/// `text` with parse_mode and entities; empty and too long ones are refused.
Checked<json::object> text_content(const Call& call);
/// `caption` with parse_mode and caption_entities, and what goes with it; empty when there is none.
Checked<json::object> caption_content(const Call& call);

/// Copies the members of `from` into `to`.
void merge(json::object& to, json::object from);

}  // namespace tgkeep::emulator
