#pragma once
// Bodies that were packed with gzip or deflate, unpacked as they come (zlib). Pure.

#include <zlib.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace tgkeep::http {

class Unpacker {
 public:
  /// Nothing for codings it does not know; `coding` is the value of Content-Encoding.
  static bool knows(std::string_view coding) noexcept;

  /// `coding` is known.
  explicit Unpacker(std::string_view coding);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Takes bytes from the front of `packed` and appends what they unpack to, at most `room` bytes. False when
  /// they are not what they should be.
  bool unpack(std::string_view& packed, std::string& out, std::size_t room);
  /// There may be more that did not fit into the last `room`.
  bool has_more() const noexcept { return more_; }
  /// All has been unpacked; nothing at all has, too, when nothing came.
  bool ended() const noexcept { return ended_ || !begun_; }

 private:
  bool begin(unsigned char first) noexcept;
  bool step(std::string_view& packed, std::string& out, std::size_t& room);

  z_stream stream_{};
  bool gzip_;
  bool begun_ = false;
  bool ended_ = false;
  bool more_ = false;
};

}  // namespace tgkeep::http
