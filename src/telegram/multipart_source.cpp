#include "telegram/multipart_source.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tgkeep::telegram {

namespace {

constexpr std::size_t kPiece = 64U << 10;

}  // namespace

asio::awaitable<std::string> MultipartSource::next() {
  std::string next = piece();
  co_return next;
}

std::string MultipartSource::piece() {
  while (current_ < stretches_.size()) {
    const MultipartStretch& stretch = stretches_[current_];
    std::string piece;
    if (!stretch.path.empty()) {
      piece = piece_of_file(stretch);
    } else if (at_ < stretch.text.size()) {
      piece = stretch.text.substr(at_, kPiece);
    }
    at_ += piece.size();
    if (!piece.empty()) return piece;
    file_.reset();
    ++current_;
    at_ = 0;
  }
  return {};
}

// Read on the loop's thread: a piece is small.
std::string MultipartSource::piece_of_file(const MultipartStretch& stretch) {
  if (!file_ && at_ == 0) {
    file_.reset(std::fopen(stretch.path.c_str(), "rbe"));
    if (!file_) throw std::system_error(errno, std::generic_category(), "opening " + stretch.path);
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  }
  std::string piece(std::min<std::uint64_t>(kPiece, stretch.size - at_), '\0');
  if (piece.empty()) return piece;
  piece.resize(std::fread(piece.data(), 1, piece.size(), file_.get()));
  if (!piece.empty()) return piece;
  if (std::ferror(file_.get()) != 0) {
    throw std::system_error(errno, std::generic_category(), "reading " + stretch.path);
  }
  throw std::runtime_error(stretch.path + " has become shorter while it was sent");
}

}  // namespace tgkeep::telegram
