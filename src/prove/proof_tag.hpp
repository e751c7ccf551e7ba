#pragma once
// A mark inside an update that goes with it wherever it goes, under whatever number it is shown: by it the
// bot of a proof knows which update it has.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgkeep/id.hpp>
#include <type_traits>

namespace tgkeep::prove {

class ProofTag {
 public:
  ProofTag(UpdateId update, std::int64_t chat) : update(update), chat(chat) {}
  UpdateId update;  ///< Telegram's id
  std::int64_t chat;
};

/// `body`: a JSON object.
std::string tagged(std::string_view body, ProofTag tag);
/// The first tag in a text; nothing when there is none.
std::optional<ProofTag> find_tag(std::string_view text);

static_assert(!std::is_aggregate_v<ProofTag>);

}  // namespace tgkeep::prove
