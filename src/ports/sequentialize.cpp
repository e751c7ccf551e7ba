#include <algorithm>
#include <exception>
#include <tgkeep/sequentialize.hpp>
#include <utility>

#include "words/exception_text.hpp"

namespace tgkeep {

Result<void> sequentialize(Update& update, const Sequentialize& rule) {
  if (!rule) return Result<void>();
  std::vector<std::string> texts;
  try {
    texts = rule(update);
  } catch (...) {
    return Error(Errc::misuse, words::text_of(std::current_exception()));
  }
  std::vector<OrderingKey> keys;
  for (std::string& text : texts) {
    const auto same = [&text](const OrderingKey& key) { return key.text() == text; };
    if (text.empty() || std::ranges::any_of(keys, same)) continue;
    keys.emplace_back(update.bot, std::move(text));
  }
  update.keys = std::move(keys);
  return Result<void>();
}

}  // namespace tgkeep
