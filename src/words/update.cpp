#include <tgkeep/update.hpp>

namespace tgkeep {

namespace {

// Compilers make one load of it.
std::uint64_t little_endian(const char* eight) noexcept {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= std::uint64_t{static_cast<unsigned char>(eight[i])} << (8 * i);
  return word;
}

}  // namespace

// Eight bytes a step, each step a bijection of the hash, so that no single changed word can cancel out; then
// FNV-1a for the last bytes, and a final mix (the 64-bit finalizer of MurmurHash3): short keys that differ in
// one digit must differ in all bits, since the lanes' table uses the low ones.
std::uint64_t stable_hash(std::string_view bytes, std::uint64_t seed) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325ULL ^ (seed * 0x9e3779b97f4a7c15ULL);
  while (bytes.size() >= 8) {
    hash ^= little_endian(bytes.data());
    hash *= 0x9fb21c651e98df25ULL;
    hash ^= hash >> 32;
    bytes.remove_prefix(8);
  }
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3ULL;
  }
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdULL;
  hash ^= hash >> 33;
  hash *= 0xc4ceb9fe1a85ec53ULL;
  hash ^= hash >> 33;
  return hash;
}

OrderingKey::OrderingKey(BotId bot, std::string text)
    : text_(std::move(text)),
      hash_(static_cast<std::int64_t>(stable_hash(text_, static_cast<std::uint64_t>(bot.value())))) {}

}  // namespace tgkeep
