#include "prove/echo_text.hpp"

#include "prove/log_lines.hpp"

namespace tgkeep::prove {

namespace {
constexpr std::string_view opening = "Got update ";
}

std::string echo_text(UpdateId update) {
  return std::string(opening) + std::to_string(update.value());
}

std::string chat_key(std::int64_t chat) {
  return "chat:" + std::to_string(chat);
}

std::optional<UpdateId> answered_update(std::string_view text) {
  if (!text.starts_with(opening)) return std::nullopt;
  text.remove_prefix(opening.size());
  const auto id = number_in<std::int64_t>(text);
  if (!id) return std::nullopt;
  return UpdateId(*id);
}

}  // namespace tgkeep::prove
