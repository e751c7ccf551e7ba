// cut_array: a parser refuses a whole answer for one bad byte, so the answer is cut before anything is
// parsed.

#include <array>
#include <string>

#include "telegram/json_scan.hpp"
#include "telegram/update_reader.hpp"

namespace tgkeep::telegram {

namespace {

Error bad_answer(std::string_view what, std::size_t at) {
  return Error(Errc::bad_answer, "the list of updates " + std::string(what) + " (byte " + std::to_string(at) +
                                     "); the answer is dropped and asked for again");
}

// Bytes that matter outside of strings: everything else is passed over without a look.
constexpr auto kMarks = [] {
  std::array<bool, 256> marks{};
  for (const char mark : std::string_view("\"[]{},")) marks[static_cast<unsigned char>(mark)] = true;
  return marks;
}();

// The place of the comma or bracket that ends the element starting at `at`; npos when the text ends before.
// Brackets are counted without telling `[` from `{`: a pair that does not match spoils only its own element.
std::size_t end_of_element(std::string_view text, std::size_t at) noexcept {
  std::size_t depth = 0;
  for (;;) {
    while (at < text.size() && !kMarks[static_cast<unsigned char>(text[at])]) ++at;
    if (at >= text.size()) return std::string_view::npos;
    switch (text[at]) {
      case '"':
        at = skip_string(text, at);
        if (at == std::string_view::npos) return at;
        continue;
      case '[':
      case '{':
        ++depth;
        break;
      case ']':
      case '}':
        if (depth == 0) return at;
        --depth;
        break;
      case ',':
        if (depth == 0) return at;
        break;
      default:
        break;
    }
    ++at;
  }
}

std::string_view without_space_at_end(std::string_view text) noexcept {
  while (!text.empty() && is_json_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

Result<std::vector<std::string_view>> cut_array(std::string_view json) {
  std::vector<std::string_view> elements;
  std::size_t at = skip_space(json, 0);
  if (at == json.size() || json[at] != '[') return bad_answer("is not an array", at);
  at = skip_space(json, at + 1);
  bool closed = at < json.size() && json[at] == ']';
  while (!closed) {
    const std::size_t end = end_of_element(json, at);
    if (end == std::string_view::npos) return bad_answer("ends in the middle of an element", at);
    const std::string_view element = without_space_at_end(json.substr(at, end - at));
    if (element.empty()) return bad_answer("has an empty element", at);
    if (json[end] == '}') return bad_answer("is closed by the wrong bracket", end);
    elements.push_back(element);
    closed = json[end] == ']';
    at = closed ? end : skip_space(json, end + 1);
  }
  at = skip_space(json, at + 1);
  if (at != json.size()) return bad_answer("is followed by other text", at);
  return elements;
}

}  // namespace tgkeep::telegram
