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

int open_file(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

std::int64_t lives_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t lives = 0;
  for (std::string line; std::getline(file, line);) lives += line.starts_with("life ");
  return lives;
}

}  // namespace

Result<std::shared_ptr<const Witness>> Witness::open(const std::string& path) {
  const int file = open_file(path);
  if (file < 0) return trouble(path, "open it");
  std::shared_ptr<Witness> witness(new Witness(path, file));
  witness->life_ = lives_in(path) + 1;
  witness->write(life_line(witness->life_, ::getpid()));
  return std::shared_ptr<const Witness>(witness);
}

Result<std::shared_ptr<const Witness>> Witness::append_to(const std::string& path) {
  const int file = open_file(path);
  if (file < 0) return trouble(path, "open it");
  return std::shared_ptr<const Witness>(new Witness(path, file));
}

Witness::~Witness() {
  ::close(file_);
}

void Witness::write(std::string_view line) const {
  const ssize_t written = ::write(file_, line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) throw Failure(trouble(path_, "write a line"));
}

}  // namespace tgkeep::prove
