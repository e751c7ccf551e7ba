#include "store/sqlite/row_text.hpp"

#include <array>

namespace tgkeep::store {

std::string join_keys(const std::vector<OrderingKey>& keys) {
  std::string joined;
  for (const auto& key : keys) {
    for (const char letter : key.text()) {
      if (letter == '\\') joined += "\\\\";
      if (letter == '\n') joined += "\\n";
      if (letter != '\\' && letter != '\n') joined += letter;
    }
    joined += '\n';
  }
  return joined;
}

std::vector<OrderingKey> split_keys(BotId bot, std::string_view joined) {
  std::vector<OrderingKey> keys;
  std::string text;
  bool escaped = false;
  for (const char letter : joined) {
    if (escaped) {
      text += letter == 'n' ? '\n' : letter;
      escaped = false;
    } else if (letter == '\\') {
      escaped = true;
    } else if (letter == '\n') {
      keys.emplace_back(bot, std::move(text));
      text = std::string();
    } else {
      text += letter;
    }
  }
  return keys;
}

std::optional<std::int64_t> key_hash(const Row& row) {
  if (row.keys.empty()) return std::nullopt;
  return row.keys.front().hash().value();
}

std::optional<std::int64_t> to_millis(const std::optional<WallTime>& time) {
  if (!time) return std::nullopt;
  return tgkeep::to_millis(*time);
}

// A chain of stable_hash: each field is hashed with the hash of those before it as the seed, so that bytes
// can't move from one field to the next unnoticed.
std::int64_t checksum(const Row& row, std::string_view joined_keys) {
  const std::array<std::int64_t, 6> numbers{row.bot.value(),
                                            row.update_id.value(),
                                            tgkeep::to_millis(row.received),
                                            row.origin.value(),
                                            row.call,
                                            static_cast<std::int64_t>(row.doubt)};
  std::array<char, numbers.size() * 8> bytes{};
  std::size_t place = 0;
  for (const std::int64_t number : numbers) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes[place++] = static_cast<char>(static_cast<std::uint64_t>(number) >> shift);
    }
  }
  std::uint64_t hash = stable_hash(std::string_view(bytes.data(), bytes.size()));
  hash = stable_hash(row.kind, hash);
  hash = stable_hash(joined_keys, hash);
  return static_cast<std::int64_t>(stable_hash(row.body, hash));
}

Sum marks_of(const Row& row, std::string_view error) {
  Sum sum;
  sum.add(row.seq.value()).add(std::int64_t{row.run}).add(std::int64_t{row.attempts});
  sum.add(std::int64_t{row.crashes}).add(std::int64_t{row.starts}).add(tgkeep::to_millis(row.due));
  sum.add(to_millis(row.first_failed)).add(tgkeep::to_millis(row.received));
  sum.add(std::int64_t{row.lifetime.count()}).add(std::int64_t{row.answer_expires});
  return sum.add(key_hash(row)).add(error);
}

}  // namespace tgkeep::store
