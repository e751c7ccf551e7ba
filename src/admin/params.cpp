#include "admin/params.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <limits>

#include "words/joined.hpp"
#include "words/nearest.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

// Longer names and values are not repeated in an error.
constexpr std::size_t kShown = 60;

std::string quoted(std::string_view text) {
  std::size_t size = std::min(text.size(), kShown);
  // Not through the middle of a character.
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  std::string shown = "\"" + std::string(text.substr(0, size));
  shown += size < text.size() ? "…\"" : "\"";
  return shown;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<std::int64_t> whole(const json::value& value, bool of_query) {
  if (value.is_int64()) return value.get_int64();
  if (!of_query || !value.is_string()) return std::nullopt;
  const std::string_view text = value.get_string();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Params::Params(const std::vector<std::pair<std::string, std::string>>& query) : of_query_(true) {
  for (const auto& [name, value] : query) {
    if (values_.contains(name)) refuse("the parameter " + quoted(name) + " is given twice");
    values_[name] = value;
  }
}

Params Params::of_body(std::string_view body) {
  Params params;
  if (body.empty()) return params;
  boost::system::error_code error;
  json::value value = json::parse(body, error);
  if (error) {
    params.refuse("the body is not JSON: " + error.message());
  } else if (!value.is_object()) {
    params.refuse("the body is not a JSON object, such as {}");
  } else {
    params.values_ = std::move(value.get_object());
  }
  return params;
}

bool Params::has(std::string_view name) const {
  return values_.contains(name);
}

const json::value* Params::take(std::string_view name) {
  known_.emplace_back(name);
  const json::value* const value = values_.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

void Params::refuse(std::string text) {
  if (wrong_.empty()) wrong_ = std::move(text);
}

void Params::refuse_value(std::string_view name, std::string_view wanted) {
  refuse(std::string(name) + " must be " + std::string(wanted));
}

std::string Params::text(std::string_view name) {
  const json::value* const value = take(name);
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(value->get_string());
  refuse_value(name, "a text");
  return {};
}

std::optional<std::int64_t> Params::number(std::string_view name, std::int64_t least, std::int64_t most) {
  const json::value* const value = take(name);
  if (value == nullptr) return std::nullopt;
  const auto number = whole(*value, of_query_);
  if (number && *number >= least && *number <= most) return number;
  std::string wanted = "a whole number";
  if (least != std::numeric_limits<std::int64_t>::min() || most != std::numeric_limits<std::int64_t>::max()) {
    wanted += " from " + std::to_string(least) + " to " + std::to_string(most);
  }
  refuse_value(name, wanted);
  return std::nullopt;
}

std::optional<WallTime> Params::time(std::string_view name) {
  const auto millis = number(name, 0, 253'402'300'799'999);
  if (!millis) return std::nullopt;
  return from_millis(*millis);
}

bool Params::flag(std::string_view name) {
  const json::value* const value = take(name);
  if (value == nullptr) return false;
  if (value->is_bool()) return value->get_bool();
  if (of_query_ && value->is_string()) {
    const std::string_view text = value->get_string();
    if (text == "true" || text == "1" || text.empty()) return true;
    if (text == "false" || text == "0") return false;
  }
  refuse_value(name, "true or false");
  return false;
}

std::vector<std::string> Params::words(std::string_view name) {
  const json::value* const value = take(name);
  if (value == nullptr) return {};
  if (of_query_ && value->is_string()) return split(value->get_string());
  std::vector<std::string> words;
  const json::array* const list = value->if_array();
  const bool texts = list != nullptr && std::all_of(list->begin(), list->end(),
                                                    [](const json::value& each) { return each.is_string(); });
  if (!texts) {
    refuse_value(name, "a list of texts");
    return {};
  }
  for (const json::value& each : *list) words.emplace_back(each.get_string());
  return words;
}

std::vector<std::int64_t> Params::numbers(std::string_view name, std::size_t most) {
  const json::value* const value = take(name);
  if (value == nullptr) return {};
  std::vector<std::int64_t> numbers;
  const json::array* const list = value->if_array();
  const bool whole_numbers =
      list != nullptr && list->size() <= most &&
      std::all_of(list->begin(), list->end(), [](const json::value& each) { return each.is_int64(); });
  if (!whole_numbers) {
    refuse_value(name, "a list of at most " + std::to_string(most) + " whole numbers");
    return {};
  }
  for (const json::value& each : *list) numbers.push_back(each.get_int64());
  return numbers;
}

std::optional<Queue> Params::queue(std::string_view name) {
  const std::string text = this->text(name);
  if (text == "inbox") return Queue::inbox;
  if (text == "outbox") return Queue::outbox;
  if (!text.empty() || (of_query_ && has(name)))
    refuse(std::string(name) + " is inbox or outbox, not " + quoted(text));
  return std::nullopt;
}

std::vector<ItemState> Params::states(std::string_view name) {
  std::vector<ItemState> states;
  for (const std::string& word : words(name)) {
    const auto state = item_state(word);
    if (state) {
      states.push_back(*state);
    } else {
      refuse("there is no state " + quoted(word) +
             "; there are pending, in_flight, retrying, held, dead and done");
    }
  }
  return states;
}

std::optional<std::string> Params::wrong() const {
  if (!wrong_.empty()) return wrong_;
  for (const auto& [name, value] : values_) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    std::string text = "there is no parameter " + quoted(name) + " here";
    if (known_.empty()) return text + "; it takes none";
    const std::string_view word = std::string_view(name).substr(0, 100);
    const std::string near = words::nearest(word, known_);
    if (!near.empty()) text += "; did you mean " + near + "?";
    return text + " (there are " + words::joined(known_, ", ") + ")";
  }
  return std::nullopt;
}

}  // namespace tgkeep::admin
