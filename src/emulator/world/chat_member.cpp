#include "emulator/world/chat_member.hpp"

#include "emulator/schema/schema.hpp"

namespace tgkeep::emulator {

namespace {

const schema::Type& type_of(std::string_view status) {
  const schema::Type& members = *schema::find_type("ChatMember");
  const schema::Type* plain = nullptr;
  for (const schema::Subtype& subtype : members.subtypes()) {
    if (subtype.value == status) return subtype.type();
    if (subtype.value == "member") plain = &subtype.type();
  }
  return *plain;
}

}  // namespace

json::object make_member(std::string_view status) {
  json::object member;
  const bool grants = status == "administrator" || status == "creator";
  for (const schema::Slot& slot : type_of(status).fields()) {
    if (!slot.required || slot.name == "user") continue;
    json::value& value = member[json_view(slot.name)];
    if (slot.fixed) {
      value = json_text(slot.sample);
    } else if (slot.type().is_flag()) {
      value = (grants && slot.name.starts_with("can_")) || slot.name == "is_member";
    } else if (slot.type().is_integer()) {
      value = 0;
    } else {
      value = "";
    }
  }
  return member;
}

bool is_present(const json::object& member) noexcept {
  const std::string_view status = string_in(member, "status");
  if (status == "restricted") return flag_in(member, "is_member");
  return status == "creator" || status == "administrator" || status == "member";
}

bool is_administrator(const json::object& member) noexcept {
  const std::string_view status = string_in(member, "status");
  return status == "creator" || status == "administrator";
}

}  // namespace tgkeep::emulator
