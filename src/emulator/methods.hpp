#pragma once
// The methods that are answered at once. Everything else but getUpdates, setWebhook and deleteWebhook is
// `method not found`.

#include <string_view>
#include <tgkeep/time.hpp>

#include "emulator/answer.hpp"
#include "emulator/bot_account.hpp"
#include "emulator/params.hpp"

namespace tgkeep::emulator {

using Method = Answer (*)(BotAccount&, const Params&, WallTime now);

class NamedMethod {
 public:
  constexpr NamedMethod(std::string_view name, Method perform) : name(name), perform(perform) {}
  std::string_view name;  ///< as documented
  Method perform;
};

/// By name in any case; nullptr when there is none.
const NamedMethod* find_method(std::string_view name) noexcept;

}  // namespace tgkeep::emulator
