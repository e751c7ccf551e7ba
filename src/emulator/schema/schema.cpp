#include "emulator/schema/schema.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "emulator/schema/tables.hpp"
#include "telegram/request_params.hpp"

namespace tgkeep::emulator::schema {

namespace {

std::map<std::string, const MethodSpec*> methods_by_name() {
  std::map<std::string, const MethodSpec*> named;
  for (const MethodSpec& method : methods()) named.emplace(telegram::lower_case(method.name), &method);
  // Names of old; the server still knows them.
  named.emplace("kickchatmember", named.at("banchatmember"));
  named.emplace("getchatmemberscount", named.at("getchatmembercount"));
  named.emplace("setstickersetthumb", named.at("setstickersetthumbnail"));
  return named;
}

std::map<std::string_view, const Type*> types_by_name() {
  std::map<std::string_view, const Type*> named;
  for (const Type& type : tables().types) named.emplace(type.name, &type);
  return named;
}

}  // namespace

const Type& Slot::type(std::size_t number) const noexcept {
  return tables().types[tables().refs[first_type_ + number]];
}

bool Slot::takes(std::string_view name) const noexcept {
  for (std::size_t number = 0; number < types_; ++number) {
    if (type(number).name == name) return true;
  }
  return false;
}

const Type& Subtype::type() const noexcept {
  return tables().types[type_];
}

std::span<const Slot> Type::fields() const noexcept {
  if (kind != Kind::object) return {};
  return tables().slots.subspan(first_, count_);
}

std::span<const Subtype> Type::subtypes() const noexcept {
  if (kind != Kind::one_of) return {};
  return tables().subtypes.subspan(first_, count_);
}

std::span<const Slot> MethodSpec::params() const noexcept {
  return tables().slots.subspan(first_, count_);
}

const Slot* MethodSpec::param(std::string_view wanted) const noexcept {
  const auto slots = params();
  const auto found = std::ranges::find(slots, wanted, &Slot::name);
  return found == slots.end() ? nullptr : &*found;
}

const Type& MethodSpec::result(std::size_t number) const noexcept {
  return tables().types[tables().refs[first_result_ + number]];
}

std::span<const MethodSpec> methods() noexcept {
  return tables().methods;
}

const MethodSpec* find_method(std::string_view name) noexcept {
  static const std::map<std::string, const MethodSpec*> named = methods_by_name();
  const auto found = named.find(telegram::lower_case(name));
  return found == named.end() ? nullptr : found->second;
}

const Type* find_type(std::string_view name) noexcept {
  static const std::map<std::string_view, const Type*> named = types_by_name();
  const auto found = named.find(name);
  return found == named.end() ? nullptr : found->second;
}

}  // namespace tgkeep::emulator::schema
