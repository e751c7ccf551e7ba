#include "emulator/schema/check_value.hpp"

#include <algorithm>
#include <charconv>

namespace tgkeep::emulator::schema {

namespace json = boost::json;

namespace {

using Complaint = std::optional<std::string>;

json::string_view key_of(std::string_view name) {
  return {name.data(), name.size()};
}

std::string named(std::string_view before, std::string_view name, std::string_view after) {
  std::string text(before);
  return text.append("\"").append(name).append("\"").append(after);
}

bool is_numeric(const json::value& value) {
  if (value.is_number()) return true;
  const json::string* text = value.if_string();
  if (text == nullptr || text->empty()) return false;
  double number = 0;
  const char* const end = text->data() + text->size();
  return std::from_chars(text->data(), end, number).ptr == end;
}

Complaint wrong_kind(std::string_view field, std::string_view kind) {
  return named("Field ", field, " must be of type ") + std::string(kind);
}

Complaint check_primitive(const json::value& value, const Type& type, std::string_view field) {
  if (type.name == "string") {
    if (value.is_string() || value.is_number()) return std::nullopt;
    return wrong_kind(field, "String");
  }
  if (type.is_flag()) return value.is_bool() ? std::nullopt : wrong_kind(field, "Boolean");
  return is_numeric(value) ? std::nullopt : wrong_kind(field, "Number");
}

bool has_all(const json::object& object, std::string_view names) {
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    if (!object.contains(key_of(names.substr(0, comma)))) return false;
    names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
  }
  return true;
}

bool has_value(const json::object& object, std::string_view field, std::string_view wanted) {
  const json::value* value = object.if_contains(key_of(field));
  if (value == nullptr) return false;
  if (value->is_int64()) return std::to_string(value->get_int64()) == wanted;
  const json::string* text = value->if_string();
  return text != nullptr && std::string_view(text->data(), text->size()) == wanted;
}

bool fits(const Type& one_of, const Subtype& subtype, const json::value& value) {
  if (subtype.array_depth > 0) return value.is_array();
  if (subtype.type().kind == Type::Kind::primitive)
    return !check_primitive(value, subtype.type(), one_of.name);
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  if (!subtype.value.empty() && !has_value(*object, one_of.discriminator, subtype.value)) return false;
  return has_all(*object, subtype.present);
}

Complaint check_type(const json::value& value, const Type& type, std::string_view field);

Complaint check_object(const json::value& value, const Type& type) {
  const json::object* object = value.if_object();
  // A text alone may stand for these.
  const bool old_form =
      value.is_string() && (type.name == "InputPollOption" || type.name == "KeyboardButton");
  if (old_form) return std::nullopt;
  if (object == nullptr) return "expected an Object";
  for (const Slot& slot : type.fields()) {
    const json::value* member = object->if_contains(key_of(slot.name));
    if (member == nullptr || member->is_null()) {
      if (slot.required) return named("Can't find field ", slot.name, "");
    } else if (Complaint wrong = mismatch(*member, slot)) {
      return wrong;
    }
  }
  return std::nullopt;
}

Complaint check_union(const json::value& value, const Type& type) {
  const Subtype* found = alternative(type, value);
  if (found != nullptr && found->array_depth > 0) return std::nullopt;
  if (found != nullptr) return check_type(value, found->type(), type.name);
  const json::object* object = value.if_object();
  if (object == nullptr) return "expected an Object";
  const bool named_one = !type.discriminator.empty() && object->contains(key_of(type.discriminator));
  if (named_one) return named("Field ", type.discriminator, " has an unsupported value");
  return type.discriminator.empty() ? "unsupported type" : named("Can't find field ", type.discriminator, "");
}

Complaint check_type(const json::value& value, const Type& type, std::string_view field) {
  switch (type.kind) {
    case Type::Kind::primitive:
      return check_primitive(value, type, field);
    case Type::Kind::file:
      return value.is_string() ? std::nullopt : wrong_kind(field, "String");
    case Type::Kind::one_of:
      return check_union(value, type);
    case Type::Kind::object:
      break;
  }
  return check_object(value, type);
}

/// Of several types, the one meant is the one whose first required field or discriminator is there.
bool is_meant(const json::value& value, const Type& type) {
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  for (const Slot& slot : type.fields()) {
    if (slot.fixed) return has_value(*object, slot.name, slot.sample);
    if (slot.required) return object->contains(key_of(slot.name));
  }
  return false;
}

Complaint check_element(const json::value& value, const Slot& slot) {
  if (slot.type_count() == 1) return check_type(value, slot.type(), slot.name);
  Complaint meant = "expected an Object";
  if (value.is_object()) meant = "unsupported type";
  for (std::size_t number = 0; number < slot.type_count(); ++number) {
    const Type& type = slot.type(number);
    Complaint wrong = check_type(value, type, slot.name);
    if (!wrong) return std::nullopt;
    if (is_meant(value, type)) meant = std::move(wrong);
  }
  return meant;
}

Complaint check_array(const json::value& value, const Slot& slot, std::size_t depth) {
  if (depth == 0) return check_element(value, slot);
  const json::array* array = value.if_array();
  if (array == nullptr) return wrong_kind(slot.name, "Array");
  for (const json::value& element : *array) {
    if (Complaint wrong = check_array(element, slot, depth - 1)) return wrong;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> mismatch(const json::value& value, const Slot& slot) {
  return check_array(value, slot, slot.array_depth);
}

std::optional<std::string> mismatch(const json::value& value, const Type& type) {
  return check_type(value, type, type.name);
}

const Subtype* alternative(const Type& one_of, const json::value& value) noexcept {
  const auto subtypes = one_of.subtypes();
  const auto found =
      std::ranges::find_if(subtypes, [&](const Subtype& subtype) { return fits(one_of, subtype, value); });
  return found == subtypes.end() ? nullptr : &*found;
}

}  // namespace tgkeep::emulator::schema
