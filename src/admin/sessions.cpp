#include "admin/sessions.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "admin/same_secret.hpp"

namespace tgkeep::admin {

namespace {

std::string random_id() {
  std::array<unsigned char, 32> bytes{};
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  std::string id;
  for (const unsigned char byte : bytes) {
    id += "0123456789abcdef"[byte >> 4U];
    id += "0123456789abcdef"[byte & 15U];
  }
  return id;
}

}  // namespace

std::string Sessions::begin() {
  forget_expired();
  if (sessions_.size() == kMost) sessions_.pop_front();
  sessions_.emplace_back(random_id(), clock_.mono() + kLifetime);
  return sessions_.back().id;
}

bool Sessions::has(std::string_view id) {
  forget_expired();
  bool found = false;
  for (const Session& session : sessions_) found = same_secret(session.id, id) || found;
  return found;
}

void Sessions::end(std::string_view id) {
  sessions_.remove_if([id](const Session& session) { return same_secret(session.id, id); });
}

void Sessions::forget_expired() {
  const MonoTime now = clock_.mono();
  sessions_.remove_if([now](const Session& session) { return session.until <= now; });
}

}  // namespace tgkeep::admin
