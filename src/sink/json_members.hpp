#pragma once
// The members of a JSON object as they stand in the text, so that what is passed on keeps its bytes.

#include <string>
#include <string_view>
#include <vector>

namespace tgkeep::sink {

class JsonMember {
 public:
  JsonMember(std::string name, std::string_view text) : name(std::move(name)), text(text) {}
  std::string name;       ///< unescaped
  std::string_view text;  ///< `"name": value`, without the comma
};

/// `object` must be a valid JSON object (a parser has taken it).
std::vector<JsonMember> json_members(std::string_view object);

}  // namespace tgkeep::sink
