#pragma once
// The methods with code of their own. The others get a made-up result of the right type.

#include <span>
#include <string_view>

#include "emulator/methods/call.hpp"

namespace tgkeep::emulator {

using Method = Answer (*)(Call&);

class NamedMethod {
 public:
  constexpr NamedMethod(std::string_view name, Method perform) : name(name), perform(perform) {}
  std::string_view name;  ///< as documented
  Method perform;
};

// One list for each file of this folder.
std::span<const NamedMethod> profile_methods() noexcept;
std::span<const NamedMethod> send_methods() noexcept;
std::span<const NamedMethod> edit_methods() noexcept;
std::span<const NamedMethod> message_methods() noexcept;
std::span<const NamedMethod> chat_methods() noexcept;
std::span<const NamedMethod> member_methods() noexcept;
std::span<const NamedMethod> query_methods() noexcept;
std::span<const NamedMethod> file_methods() noexcept;
std::span<const NamedMethod> webhook_info_methods() noexcept;

/// Checks the parameters and performs. getUpdates, setWebhook and deleteWebhook are not done here.
Answer perform_method(Call& call);

}  // namespace tgkeep::emulator
