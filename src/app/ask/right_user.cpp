#include "app/ask/right_user.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands/command_end.hpp"

namespace tgkeep::app {

void refuse_foreign_root(const std::string& folder) {
  struct stat facts {};
  if (::geteuid() != 0 || ::stat(folder.c_str(), &facts) != 0 || facts.st_uid == 0) return;
  const passwd* const owner = ::getpwuid(facts.st_uid);
  const std::string name = owner == nullptr ? "'#" + std::to_string(facts.st_uid) + "'" : owner->pw_name;
  throw CommandEnd(Exit::refused,
                   folder + " belongs to user " + name +
                       ": as root this would leave files there that tgkeep can't write. Run it as that "
                       "user: sudo -u " +
                       name + " tgkeep …");
}

}  // namespace tgkeep::app
