#pragma once
// A multipart body, given piece by piece; of files of the disk only a piece is in memory.

#include <boost/asio/awaitable.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "telegram/multipart.hpp"

namespace tgkeep::telegram {

namespace asio = boost::asio;

class MultipartSource {
 public:
  explicit MultipartSource(std::vector<MultipartStretch> stretches) : stretches_(std::move(stretches)) {}
  MultipartSource(const MultipartSource&) = delete;
  MultipartSource& operator=(const MultipartSource&) = delete;
  /// At most 64 KiB; empty at the end. Throws when a file can't be read, or is not as long as it was.
  asio::awaitable<std::string> next();

 private:
  class FileEnd {
   public:
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::string piece();
  std::string piece_of_file(const MultipartStretch& stretch);

  std::vector<MultipartStretch> stretches_;
  std::size_t current_ = 0;
  std::uint64_t at_ = 0;  ///< in the current stretch
  std::unique_ptr<std::FILE, FileEnd> file_;
};

}  // namespace tgkeep::telegram
