#pragma once
// What a bot's account is filed under: its token, and which of the two environments.

#include <string>
#include <string_view>

namespace tgkeep::emulator {

inline constexpr std::string_view kTestSuffix = "/test";

inline std::string account_name(std::string_view token, bool test) {
  std::string name(token);
  if (test) name += kTestSuffix;
  return name;
}

}  // namespace tgkeep::emulator
