// Multipart bodies, whole and cut anywhere: the part that has come gives the first of what the whole gives.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "telegram/request_params.hpp"

namespace {

using namespace tgkeep::telegram;

void check(bool holds) {
  if (!holds) std::abort();
}

bool begins_with(const Params& whole, const Params& part) {
  const auto& values = part.values();
  const auto& files = part.uploads();
  if (values.size() > whole.values().size() || files.size() > whole.uploads().size()) return false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Upload& other = whole.uploads()[i];
    if (files[i].name != other.name || files[i].bytes != other.bytes ||
        files[i].file_name != other.file_name) {
      return false;
    }
  }
  return std::equal(values.begin(), values.end(), whole.values().begin());
}

}  // namespace

// Two bytes say where to cut; then the content type, a line break, and the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t cut = data[0] * 256U + data[1];
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const std::string_view type = text.substr(0, line);
  const std::string_view body = text.substr(std::min(line + 1, text.size()));

  Params whole;
  const MultipartEnd end = add_multipart_prefix(whole, type, body);
  Params same;
  add_multipart(same, type, body);
  check(begins_with(whole, same) && begins_with(same, whole));

  Params part;
  const MultipartEnd part_end = add_multipart_prefix(part, type, body.substr(0, std::min(cut, body.size())));
  check(begins_with(whole, part));
  const bool decided = part_end == MultipartEnd::whole || part_end == MultipartEnd::malformed;
  if (decided) check(part_end == end && begins_with(part, whole));
  return 0;
}
