#include "app/commands/whole_number.hpp"

#include <charconv>
#include <string>
#include <system_error>

#include "app/display/safe_text.hpp"

namespace tgkeep::app {

CLI::Validator whole_number(std::int64_t least) {
  const auto check = [least](const std::string& text) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [read, failure] = std::from_chars(text.data(), end, number);
    if (failure == std::errc() && read == end && number >= least) return std::string();
    return "\"" + safe_text(text) + "\" is not a whole number of at least " + std::to_string(least);
  };
  return CLI::Validator(check, "");
}

}  // namespace tgkeep::app
