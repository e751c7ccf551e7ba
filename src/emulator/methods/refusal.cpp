#include "emulator/methods/refusal.hpp"

#include <stdexcept>

namespace tgkeep::emulator {

Refusal::Refusal(std::string_view words) : description("Bad Request: ") {
  description.append(words);
}

Refusal Refusal::forbidden(std::string_view words) {
  Refusal refusal;
  refusal.code = 403;
  refusal.description = "Forbidden: ";
  refusal.description.append(words);
  return refusal;
}

Refusal Refusal::migrated(std::int64_t chat) {
  Refusal refusal("group chat was upgraded to a supergroup chat");
  refusal.migrate_to = chat;
  return refusal;
}

Answer Refusal::answer() const {
  if (migrate_to) return Answer::migrated(description, *migrate_to);
  return Answer::error(code, description);
}

void throw_exception_from_error(const Refusal& error, const boost::source_location&) {
  throw std::runtime_error(error.description);
}

}  // namespace tgkeep::emulator
