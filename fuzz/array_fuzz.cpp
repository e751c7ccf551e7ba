// Any bytes as an answer of getUpdates: pieces in order inside it, none empty, and glued again they cut the
// same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "telegram/update_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tgkeep;
  const std::string_view answer(reinterpret_cast<const char*>(data), size);
  const auto pieces = telegram::cut_array(answer);
  if (!pieces) return 0;
  const char* end = answer.data();
  std::string glued = "[";
  for (const auto piece : *pieces) {
    if (piece.empty() || piece.data() < end || piece.data() + piece.size() > answer.data() + size)
      std::abort();
    end = piece.data() + piece.size();
    if (glued.size() > 1) glued += ',';
    glued += piece;
    telegram::read_or_keep(BotId(1), WallTime{}, std::string(piece));
  }
  glued += ']';
  const auto again = telegram::cut_array(glued);
  if (!again || *again != *pieces) std::abort();
  return 0;
}
