#include <algorithm>
#include <array>
#include <tgkeep/outcome.hpp>

namespace tgkeep {

namespace {
// Methods of Bot API 10.3 that move money, Stars or gifts each time they take effect.
constexpr std::array<std::string_view, 8> kMoneyMethods{
    "approveSuggestedPost", "convertGiftToStars", "giftPremiumSubscription",
    "refundStarPayment",    "sendGift",           "transferBusinessAccountStars",
    "transferGift",         "upgradeGift"};

// Method names are case-insensitive at the server.
bool same_method(std::string_view left, std::string_view right) noexcept {
  return std::ranges::equal(left, right, [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(a) == lower(b);
  });
}
}  // namespace

DoubtPolicy doubt_policy(std::string_view method) noexcept {
  const bool moves_money =
      std::ranges::any_of(kMoneyMethods, [&](std::string_view name) { return same_method(name, method); });
  return moves_money ? DoubtPolicy::ask : DoubtPolicy::resend;
}

Call::Call(std::string method, std::string params)
    : method(std::move(method)), params(std::move(params)), doubt(doubt_policy(this->method)) {}

}  // namespace tgkeep
