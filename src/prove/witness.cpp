#include "prove/witness.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "prove/handler_log.hpp"

namespace tgkeep::prove {

namespace {

Error trouble(const std::string& path, std::string_view what) {
  std::string text = "handler log " + path + ": can't " + std::string(what) + ": ";
  return Error(Errc::store_unusable,
               text + std::generic_category().message(errno) + "; choose another folder");
}

std::int64_t lives_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t lives = 0;
  for (std::string line; std::getline(file, line);) lives += line.starts_with("life ");
  return lives;
}

}  // namespace

Result<std::shared_ptr<const Witness>> Witness::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return trouble(path, "open it");
  std::shared_ptr<const Witness> witness(new Witness(path, file));
  witness->write(life_line(lives_in(path) + 1, ::getpid()));
  return witness;
}

Witness::~Witness() {
  ::close(file_);
}

void Witness::write(std::string_view line) const {
  const ssize_t written = ::write(file_, line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) throw Failure(trouble(path_, "write a line"));
}

}  // namespace tgkeep::prove
