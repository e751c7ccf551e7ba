#pragma once
// Where a download goes on the disk: beside its place until it is whole.

#include <boost/asio/awaitable.hpp>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace tgkeep::telegram {

namespace asio = boost::asio;

/// The disk would not take it; says which file and why.
class FileTrouble : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes on the loop's thread: a piece is small. Its functions throw FileTrouble.
class FileTaker {
 public:
  explicit FileTaker(std::string path) : path_(std::move(path)), part_(path_ + ".part") {}
  /// Removes what is not finished.
  ~FileTaker();
  FileTaker(const FileTaker&) = delete;
  FileTaker& operator=(const FileTaker&) = delete;
  asio::awaitable<void> take(std::string piece);
  /// It is whole.
  void finish();

 private:
  class FileEnd {
   public:
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  void write(const std::string& piece);
  void open();
  [[noreturn]] void fail(const std::string& what);

  std::string path_;
  std::string part_;
  std::unique_ptr<std::FILE, FileEnd> file_;
  bool begun_ = false;
};

}  // namespace tgkeep::telegram
