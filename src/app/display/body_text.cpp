#include "app/display/body_text.hpp"

#include <boost/json.hpp>

#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

namespace json = boost::json;

void lay_out(std::string& out, const json::value& value, const std::string& indent) {
  const std::string deeper = indent + "  ";
  if (const json::object* const object = value.if_object(); object != nullptr && !object->empty()) {
    out += "{\n";
    bool first = true;
    for (const auto& entry : *object) {
      if (!first) out += ",\n";
      first = false;
      out += deeper + json::serialize(json::string(entry.key())) + ": ";
      lay_out(out, entry.value(), deeper);
    }
    out += "\n" + indent + "}";
    return;
  }
  if (const json::array* const array = value.if_array(); array != nullptr && !array->empty()) {
    out += "[\n";
    bool first = true;
    for (const json::value& element : *array) {
      if (!first) out += ",\n";
      first = false;
      out += deeper;
      lay_out(out, element, deeper);
    }
    out += "\n" + indent + "]";
    return;
  }
  out += json::serialize(value);
}

}  // namespace

std::string body_text(std::string_view body, std::string_view indent) {
  boost::system::error_code broken;
  const json::value value = json::parse(body, broken);
  const std::string margin(indent);
  std::string text = margin;
  if (broken) {
    text += body;
  } else {
    lay_out(text, value, margin);
  }
  return safe_text(text, !broken) + "\n";
}

}  // namespace tgkeep::app
