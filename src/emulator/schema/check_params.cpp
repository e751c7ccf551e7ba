#include "emulator/schema/check_params.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>

#include "emulator/schema/check_value.hpp"

namespace tgkeep::emulator::schema {

namespace json = boost::json;

namespace {

using Complaint = std::optional<std::string>;

std::string in_words(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

bool is_chat(const Slot& slot) {
  return slot.name.ends_with("chat_id") && slot.takes("string");
}

std::string missing(const Slot& slot) {
  if (slot.takes("InputFile")) return "there is no " + in_words(slot.name) + " in the request";
  if (slot.name == "text") return "message text is empty";
  if (slot.name == "chat_id" || slot.name == "from_chat_id") return std::string(slot.name) + " is empty";
  if (slot.name == "user_id") return "invalid user_id specified";
  if (slot.name == "message_id") return "message identifier is not specified";
  if (slot.name == "message_ids") return "message identifiers are not specified";
  return "parameter \"" + std::string(slot.name) + "\" is required";
}

/// Parameters that are JSON text: arrays, objects and unions of them.
bool is_structured(const Slot& slot) {
  const Type::Kind kind = slot.type().kind;
  return slot.array_depth > 0 || kind == Type::Kind::object || kind == Type::Kind::one_of;
}

std::string subject(const Slot& slot) {
  if (slot.name == "reply_markup") return "reply keyboard markup";
  return in_words(slot.name);
}

/// An object without any of these is no markup, which is fine.
bool is_markup(const json::object& object) {
  for (const char* name : {"inline_keyboard", "keyboard", "remove_keyboard", "force_reply"}) {
    if (object.contains(name)) return true;
  }
  return false;
}

Complaint check_structured(const Slot& slot, std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) return "can't parse " + subject(slot) + " JSON object";
  if (value.is_null()) return slot.required ? Complaint(missing(slot)) : std::nullopt;
  if (slot.array_depth > 0 && !value.is_array()) {
    return "expected an Array of " + std::string(slot.type().name);
  }
  if (slot.name == "reply_markup" && !value.is_object()) return "object expected as reply markup";
  if (slot.name == "reply_markup" && !is_markup(value.get_object())) return std::nullopt;
  const Complaint wrong = mismatch(value, slot);
  if (!wrong) return std::nullopt;
  return "can't parse " + subject(slot) + ": " + *wrong;
}

Complaint check(const Slot& slot, const telegram::Params& params) {
  const bool has_file = slot.takes("InputFile") && params.file(slot.name) != nullptr;
  const std::string_view text = params.text(slot.name);
  if (text.empty()) {
    // A flag or number that is there, but empty, is false or 0.
    const bool there = has_file || (params.has(slot.name) && !is_structured(slot) && !slot.takes("string"));
    return slot.required && !there ? Complaint(missing(slot)) : std::nullopt;
  }
  if (slot.takes("InputFile") && !slot.takes("string") && !has_file) return missing(slot);
  return is_structured(slot) ? check_structured(slot, text) : std::nullopt;
}

}  // namespace

std::optional<std::string> refuse_params(const MethodSpec& method, const telegram::Params& params) {
  for (const bool chats : {false, true}) {
    for (const Slot& slot : method.params()) {
      if (is_chat(slot) != chats) continue;
      if (Complaint wrong = check(slot, params)) return wrong;
    }
  }
  return std::nullopt;
}

}  // namespace tgkeep::emulator::schema
