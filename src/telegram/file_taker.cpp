#include "telegram/file_taker.hpp"

#include <cerrno>
#include <system_error>

namespace tgkeep::telegram {

FileTaker::~FileTaker() {
  file_.reset();
  if (begun_) std::remove(part_.c_str());
}

asio::awaitable<void> FileTaker::take(std::string piece) {
  write(piece);
  co_return;
}

void FileTaker::open() {
  file_.reset(std::fopen(part_.c_str(), "wbe"));
  if (!file_) fail("can't be opened");
  begun_ = true;
}

void FileTaker::write(const std::string& piece) {
  if (!file_) open();
  if (std::fwrite(piece.data(), 1, piece.size(), file_.get()) != piece.size()) fail("can't be written");
}

void FileTaker::finish() {
  if (!file_) open();
  if (std::fclose(file_.release()) != 0) fail("can't be written");
  if (std::rename(part_.c_str(), path_.c_str()) != 0) fail("can't be given the name of what was asked for");
  begun_ = false;
}

void FileTaker::fail(const std::string& what) {
  const std::string why = std::generic_category().message(errno);
  throw FileTrouble(part_ + " " + what + " (" + why + "); check the folder, its rights and the space left");
}

}  // namespace tgkeep::telegram
