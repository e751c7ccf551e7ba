#include "sink/push_request.hpp"

#include <algorithm>

namespace tgkeep::sink {

std::string header_safe(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && c != '%') {
      safe += c;
    } else {
      safe += '%';
      safe += kDigits[byte >> 4U];
      safe += kDigits[byte & 0xFU];
    }
  }
  return safe;
}

http::ClientRequest make_push_request(const PushOptions& options, const Delivery& delivery,
                                      std::uint64_t number, const std::string& settle_url) {
  const Item& item = delivery.item;
  http::ClientRequest request("POST", options.url);
  request.body = item.body;
  request.timeout = options.timeout;
  request.connect_timeout = std::min(options.timeout, request.connect_timeout);
  request.max_answer = kMaxPushAnswer;
  http::Headers& headers = request.headers;
  headers.emplace_back("Content-Type", "application/json");
  if (!options.secret.empty()) headers.emplace_back("X-Telegram-Bot-Api-Secret-Token", options.secret);
  headers.emplace_back("Tgkeep-Update-Id", std::to_string(item.update_id.value()));
  headers.emplace_back("Tgkeep-Attempt", std::to_string(item.attempt));
  headers.emplace_back("Tgkeep-Epoch", std::to_string(item.epoch.value()));
  headers.emplace_back("Tgkeep-Request", std::to_string(number));
  if (!item.keys.empty()) headers.emplace_back("Tgkeep-Ordering-Key", header_safe(item.keys.front()));
  if (item.run > 0) headers.emplace_back("Tgkeep-Run", std::to_string(item.run));
  if (item.starts > 0) headers.emplace_back("Tgkeep-Repeated", "1");
  if (delivery.late) headers.emplace_back("Tgkeep-Late", "1");
  if (item.order_gap) headers.emplace_back("Tgkeep-Order-Gap", "1");
  if (!settle_url.empty()) headers.emplace_back("Tgkeep-Settle-Url", settle_url);
  return request;
}

}  // namespace tgkeep::sink
