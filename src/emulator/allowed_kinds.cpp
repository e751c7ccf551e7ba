#include "emulator/allowed_kinds.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>

#include "telegram/request_params.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep::emulator {

namespace json = boost::json;

void AllowedKinds::set(std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !value.is_array()) return;
  std::vector<std::string> chosen;
  for (const json::value& element : value.get_array()) {
    if (!element.is_string()) return;
    const json::string& name = element.get_string();
    for (const telegram::UpdateKind& kind : telegram::update_kinds()) {
      if (telegram::same_ignoring_case(kind.name, std::string_view(name.data(), name.size())))
        chosen.emplace_back(kind.name);
    }
  }
  chosen_.reset();
  if (!chosen.empty()) chosen_ = std::move(chosen);
}

bool AllowedKinds::allows(std::string_view kind) const noexcept {
  if (chosen_) return std::ranges::find(*chosen_, kind) != chosen_->end();
  return kind != "chat_member" && kind != "message_reaction" && kind != "message_reaction_count";
}

}  // namespace tgkeep::emulator
