#include "emulator/methods/registry.hpp"

#include <map>

#include "emulator/schema/check_params.hpp"

namespace tgkeep::emulator {

namespace {

std::map<std::string_view, Method> all_methods() {
  std::map<std::string_view, Method> named;
  for (const auto list :
       {profile_methods(), send_methods(), edit_methods(), message_methods(), chat_methods(),
        member_methods(), query_methods(), file_methods(), webhook_info_methods()}) {
    for (const NamedMethod& method : list) named.emplace(method.name, method.perform);
  }
  return named;
}

/// A method without code of its own: chat and user must be there, and that is all.
Answer make_up(Call& call) {
  if (!call.text("chat_id").empty()) {
    const Checked<std::int64_t> chat = find_chat(call);
    if (!chat) return chat.error().answer();
  }
  if (!call.text("user_id").empty()) {
    const Checked<std::int64_t> user = find_user(call);
    if (!user) return user.error().answer();
  }
  return answer_with(call.synthesis().result(call.spec));
}

}  // namespace

Answer perform_method(Call& call) {
  static const std::map<std::string_view, Method> named = all_methods();
  if (const std::optional<std::string> wrong = schema::refuse_params(call.spec, call.params)) {
    return Refusal(*wrong).answer();
  }
  const auto found = named.find(call.spec.name);
  return found == named.end() ? make_up(call) : found->second(call);
}

}  // namespace tgkeep::emulator
