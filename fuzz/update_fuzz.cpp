// Any bytes as one update: an update or a named error, and what can't be read is kept whole.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "telegram/update_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tgkeep;
  const std::string raw(reinterpret_cast<const char*>(data), size);
  const auto update = telegram::read_update(BotId(1), WallTime{}, raw);
  const Update kept = telegram::read_or_keep(BotId(1), WallTime{}, raw);
  if (kept.raw != raw || kept.unreadable.empty() != update.has_value()) std::abort();
  if (update && (update->id != kept.id || update->id.value() < 0 || update->keys != kept.keys)) std::abort();
  return 0;
}
