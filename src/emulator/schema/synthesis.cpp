#include "emulator/schema/synthesis.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <charconv>

#include "emulator/schema/check_value.hpp"

namespace tgkeep::emulator::schema {

namespace json = boost::json;

namespace {

json::string_view key_of(std::string_view name) {
  return {name.data(), name.size()};
}

bool is_date(std::string_view name) {
  return name == "date" || name.ends_with("_date") || name == "unix_time";
}

bool is_address(std::string_view name) {
  return name == "url" || name.ends_with("_url") || name.ends_with("_link");
}

}  // namespace

json::value Synthesis::result(const MethodSpec& method) const {
  if (method.result_depth > 0) return json::array();
  const bool inline_message = !params_.text("inline_message_id").empty();
  const std::size_t chosen = method.result_count() > 1 && inline_message ? 1 : 0;
  return value(method.result(chosen), method.name);
}

json::value Synthesis::value(const Type& type, std::string_view name) const {
  if (type.is_flag()) return type.name == "true" || params_.flag(name);
  if (type.is_integer()) return number(name);
  if (type.name == "float")
    return params_.has(name) ? std::atof(std::string(params_.text(name)).c_str()) : 0.5;
  if (type.name == "string" || type.kind == Type::Kind::file) return text(name);
  if (known_) {
    if (std::optional<json::value> better = known_(type)) return *std::move(better);
  }
  if (type.kind == Type::Kind::object) return object(type);
  const Subtype& first = type.subtypes().front();
  if (first.array_depth > 0) return json::array();
  return value(first.type(), name);
}

json::value Synthesis::object(const Type& type) const {
  json::object made;
  for (const Slot& slot : type.fields()) {
    if (std::optional<json::value> said = given(slot)) {
      made[key_of(slot.name)] = *std::move(said);
    } else if (slot.required) {
      made[key_of(slot.name)] = field(slot);
    }
  }
  return made;
}

json::value Synthesis::field(const Slot& slot) const {
  if (slot.array_depth > 0) return json::array();
  if (!slot.sample.empty()) return json::string(key_of(slot.sample));
  return value(slot.type(), slot.name);
}

/// What the parameter of the same name says, if it is of the slot's type.
std::optional<json::value> Synthesis::given(const Slot& slot) const {
  if (slot.fixed || !params_.has(slot.name)) return std::nullopt;
  const std::string_view said = params_.text(slot.name);
  const bool plain = slot.array_depth == 0 && slot.type().kind == Type::Kind::primitive;
  if (plain) return slot.type_count() == 1 ? std::optional(value(slot.type(), slot.name)) : std::nullopt;
  boost::system::error_code error;
  json::value parsed = json::parse(key_of(said), error);
  if (error || parsed.is_null() || mismatch(parsed, slot)) return std::nullopt;
  return parsed;
}

std::int64_t Synthesis::number(std::string_view name) const {
  if (params_.has(name)) return params_.number(name, 0);
  if (is_date(name)) return to_millis(now_) / 1000;
  return 1;
}

json::value Synthesis::text(std::string_view name) const {
  const std::string_view said = params_.text(name);
  if (!said.empty()) return json::string(key_of(said));
  if (is_address(name)) return "https://t.me/emulated";
  return json::string(key_of(name));
}

}  // namespace tgkeep::emulator::schema
