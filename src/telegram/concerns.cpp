#include "telegram/concerns.hpp"

#include <simdjson.h>

#include <charconv>
#include <optional>
#include <string>

namespace tgkeep::telegram {

namespace {

namespace dom = simdjson::dom;

/// Parameters may hold JSON as a text; deeper than this nobody nests it.
constexpr int kTextsWithin = 3;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

class Search {
 public:
  Search(std::int64_t id, bool person) : id_(id), person_(person) {}

  bool finds(std::string_view body) const {
    bool readable = false;
    if (finds_in_json(body, kTextsWithin, readable)) return true;
    return !readable && finds_in_text(body);
  }

 private:
  bool finds_in_json(std::string_view text, int texts_within, bool& readable) const {
    dom::parser parser;
    dom::element root;
    readable = parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS;
    return readable && finds(root, texts_within);
  }

  bool finds(const dom::element& value, int texts_within) const {
    if (value.is_object()) return finds_in_object(value, texts_within);
    if (value.is_array()) {
      for (const dom::element part : dom::array(value)) {
        if (finds(part, texts_within)) return true;
      }
    }
    if (value.is_string()) return finds_in_string(std::string_view(value), texts_within);
    return false;
  }

  bool finds_in_object(const dom::object& object, int texts_within) const {
    if (is_named(object)) return true;
    for (const auto& [name, value] : object) {
      if (is_parameter(name) && holds_id(value)) return true;
      if (finds(value, texts_within)) return true;
    }
    return false;
  }

  // A user has `is_bot` and `first_name`, a chat has `type`; what else has an `id` is something else.
  bool is_named(const dom::object& object) const {
    std::int64_t id = 0;
    if (object["id"].get(id) != simdjson::SUCCESS || id != id_) return false;
    std::string_view type;
    const bool chat = object["type"].get(type) == simdjson::SUCCESS;
    if (!person_) return chat;
    dom::element ignored;
    return (chat && type == "private") || object["is_bot"].get(ignored) == simdjson::SUCCESS ||
           object["first_name"].get(ignored) == simdjson::SUCCESS;
  }

  bool is_parameter(std::string_view name) const {
    if (name.ends_with("chat_id")) return true;
    return person_ && (name.ends_with("user_id") || name.ends_with("user_ids"));
  }

  bool holds_id(const dom::element& value) const {
    std::int64_t number = 0;
    if (value.get(number) == simdjson::SUCCESS) return number == id_;
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) return whole_number(text) == id_;
    if (value.is_array()) {
      for (const dom::element part : dom::array(value)) {
        if (holds_id(part)) return true;
      }
    }
    return false;
  }

  bool finds_in_string(std::string_view text, int texts_within) const {
    if (person_ && finds_link(text)) return true;
    if (texts_within == 0 || text.empty() || (text.front() != '{' && text.front() != '[')) return false;
    bool readable = false;
    return finds_in_json(text, texts_within - 1, readable);
  }

  bool finds_link(std::string_view text) const {
    constexpr std::string_view kLink = "tg://user?id=";
    for (auto place = text.find(kLink); place != std::string_view::npos; place = text.find(kLink, place)) {
      place += kLink.size();
      if (starts_with_id(text.substr(place))) return true;
    }
    return false;
  }

  // Members whose name ends in `id"`, in text that no parser takes.
  bool finds_in_text(std::string_view text) const {
    constexpr std::string_view kName = "id\"";
    constexpr std::string_view kBetween = " \t\r\n:\"";
    for (auto place = text.find(kName); place != std::string_view::npos; place = text.find(kName, place)) {
      place += kName.size();
      const auto value = text.find_first_not_of(kBetween, place);
      if (value != std::string_view::npos && starts_with_id(text.substr(value))) return true;
    }
    return person_ && finds_link(text);
  }

  bool starts_with_id(std::string_view text) const {
    const std::string id = std::to_string(id_);
    return text.starts_with(id) && (text.size() == id.size() || !is_digit(text[id.size()]));
  }

  std::int64_t id_;
  bool person_;
};

}  // namespace

bool concerns_user(std::string_view body, std::int64_t user) {
  return Search(user, true).finds(body);
}

bool concerns_chat(std::string_view body, std::int64_t chat) {
  return Search(chat, false).finds(body);
}

}  // namespace tgkeep::telegram
