#include <array>
#include <tgkeep/store_browser.hpp>
#include <utility>

namespace tgkeep {

namespace {

constexpr std::array kNames{
    std::pair(ItemState::pending, std::string_view("pending")),
    std::pair(ItemState::in_flight, std::string_view("in_flight")),
    std::pair(ItemState::retrying, std::string_view("retrying")),
    std::pair(ItemState::held, std::string_view("held")),
    std::pair(ItemState::dead, std::string_view("dead")),
    std::pair(ItemState::done, std::string_view("done")),
};

}  // namespace

std::string_view to_string(ItemState state) noexcept {
  for (const auto& [known, name] : kNames) {
    if (known == state) return name;
  }
  return "unknown";
}

std::optional<ItemState> item_state(std::string_view name) noexcept {
  for (const auto& [state, known] : kNames) {
    if (known == name) return state;
  }
  return std::nullopt;
}

}  // namespace tgkeep
