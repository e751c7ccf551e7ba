#include <tgkeep/api.hpp>

namespace tgkeep {

ApiFile ApiFile::from_disk(std::string name, std::string path) {
  std::string last = path.substr(path.rfind('/') + 1);
  ApiFile file(std::move(name), std::move(last), std::string());
  file.path = std::move(path);
  return file;
}

std::string ApiError::text() const {
  std::string text = method.empty() ? "the Bot API call" : method;
  switch (kind) {
    case Kind::not_sent:
      return text + " was not sent: " + description + "; it may be repeated";
    case Kind::maybe_sent:
      return text + " got no valid answer: " + description +
             "; it may have taken effect, so a repeat may do it twice";
    case Kind::refused:
      break;
  }
  text += " was refused";
  if (code != 0) text += " (" + std::to_string(code) + ")";
  text += ": " + description;
  if (retry_after) text += "; repeat it after " + std::to_string(retry_after->count()) + " s";
  if (migrate_to_chat_id) text += "; the chat is now " + std::to_string(*migrate_to_chat_id);
  return text;
}

void throw_exception_from_error(const ApiError& error, const boost::source_location&) {
  throw ApiFailure(error);
}

}  // namespace tgkeep
