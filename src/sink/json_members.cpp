#include "sink/json_members.hpp"

#include <boost/json/parse.hpp>

#include "telegram/json_scan.hpp"

namespace tgkeep::sink {

namespace {

std::string unescaped(std::string_view quoted) {
  const boost::json::value name = boost::json::parse(boost::json::string_view(quoted.data(), quoted.size()));
  return std::string(name.get_string());
}

// The place of the comma or bracket that ends the value at `at`.
std::size_t end_of_value(std::string_view text, std::size_t at) noexcept {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = telegram::skip_string(text, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}')) break;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    ++at;
  }
  return at;
}

}  // namespace

std::vector<JsonMember> json_members(std::string_view object) {
  std::vector<JsonMember> members;
  std::size_t at = telegram::skip_space(object, object.find('{') + 1);
  while (at < object.size() && object[at] == '"') {
    const std::size_t begin = at;
    const std::size_t after_name = telegram::skip_string(object, at);
    std::size_t end = end_of_value(object, object.find(':', after_name) + 1);
    at = telegram::skip_space(object, end + 1);
    while (telegram::is_json_space(object[end - 1])) --end;
    members.emplace_back(unescaped(object.substr(begin, after_name - begin)),
                         object.substr(begin, end - begin));
  }
  return members;
}

}  // namespace tgkeep::sink
