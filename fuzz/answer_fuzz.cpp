// The envelope scanner on any bytes: it must not crash, and what it cuts out lies inside the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "telegram/api_answer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto envelope = tgkeep::telegram::read_envelope(text);
  if (envelope && envelope->result) {
    const std::string_view result = *envelope->result;
    if (result.empty() || result.data() < text.data() || result.data() + result.size() > text.data() + size)
      std::abort();
    // Whatever the result holds, wrapped again it is read as the same bytes.
    const std::string again = "{\"ok\":true,\"result\":" + std::string(result) + "}";
    const auto answer = tgkeep::telegram::sort_answer(200, again, nullptr);
    if (!answer || *answer != result) std::abort();
  }
  const std::string header(text.substr(0, 20));
  for (const int status : {200, 429, 502}) {
    const auto answer = tgkeep::telegram::sort_answer(status, std::string(text), &header);
    if (!answer && answer.error().description.empty()) std::abort();
  }
  return 0;
}
