#include "telegram/renumber.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>

#include "telegram/id_scan.hpp"

namespace tgkeep::telegram {

namespace {

namespace json = boost::json;

// The name is written with escapes.
std::string renumbered_by_parsing(std::string_view raw, std::int64_t number) {
  json::parse_options options;
  options.max_depth = 1024;
  json::value value = json::parse(json::string_view(raw.data(), raw.size()), {}, options);
  value.as_object()["update_id"] = number;
  return json::serialize(value);
}

}  // namespace

void append_renumbered(std::string& text, std::string_view raw, std::int64_t number) {
  const auto place = find_update_id(raw);
  if (!place) {
    text += renumbered_by_parsing(raw, number);
    return;
  }
  char digits[20];
  const auto [end, failure] = std::to_chars(digits, digits + sizeof digits, number);
  text.append(raw.substr(0, place->begin));
  text.append(digits, end);
  text.append(raw.substr(place->end));
}

std::string renumbered(std::string_view raw, std::int64_t number) {
  std::string text;
  text.reserve(raw.size() + 20);
  append_renumbered(text, raw, number);
  return text;
}

}  // namespace tgkeep::telegram
