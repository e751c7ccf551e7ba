#pragma once
// A command that owns a store as root leaves files behind that the service can't write.

#include <string>

namespace tgkeep::app {

/// CommandEnd (5) when this is root and the folder is another user's.
void refuse_foreign_root(const std::string& folder);

}  // namespace tgkeep::app
