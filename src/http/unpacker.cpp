#include "http/unpacker.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <limits>

namespace tgkeep::http {

namespace {

using boost::beast::iequals;

constexpr std::size_t kStep = 16U << 10;

bool is_gzip(std::string_view coding) noexcept {
  return iequals(coding, "gzip") || iequals(coding, "x-gzip");
}

}  // namespace

bool Unpacker::knows(std::string_view coding) noexcept {
  return is_gzip(coding) || iequals(coding, "deflate");
}

Unpacker::Unpacker(std::string_view coding) : gzip_(is_gzip(coding)) {}

Unpacker::~Unpacker() {
  if (begun_) inflateEnd(&stream_);
}

// "deflate" means zlib's format; some senders leave its two bytes of head out. Those begin with 8 in the low
// half, which no encoder begins bare deflate with.
bool Unpacker::begin(unsigned char first) noexcept {
  const bool bare = !gzip_ && (first & 0x0F) != 8;
  const int window = gzip_ ? MAX_WBITS + 16 : (bare ? -MAX_WBITS : MAX_WBITS);
  begun_ = inflateInit2(&stream_, window) == Z_OK;
  return begun_;
}

bool Unpacker::unpack(std::string_view& packed, std::string& out, std::size_t room) {
  if (!begun_ && !packed.empty() && !begin(static_cast<unsigned char>(packed.front()))) return false;
  while (room > 0 && (more_ || !packed.empty())) {
    if (ended_) {
      // Several gzip files in a row are one.
      if (!gzip_ || inflateReset(&stream_) != Z_OK) return false;
      ended_ = false;
    }
    if (!step(packed, out, room)) return false;
  }
  return true;
}

bool Unpacker::step(std::string_view& packed, std::string& out, std::size_t& room) {
  const std::size_t before = out.size();
  const std::size_t space = std::min(room, kStep);
  out.resize(before + space);
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  const std::size_t offered = std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
  stream_.avail_in = static_cast<uInt>(offered);
  stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
  stream_.avail_out = static_cast<uInt>(space);
  const int result = inflate(&stream_, Z_NO_FLUSH);
  const std::size_t made = space - stream_.avail_out;
  const std::size_t used = offered - stream_.avail_in;
  out.resize(before + made);
  room -= made;
  packed.remove_prefix(used);
  ended_ = result == Z_STREAM_END;
  more_ = !ended_ && stream_.avail_out == 0;
  if (ended_ || result == Z_OK) return true;
  // Nothing to do without more input.
  return result == Z_BUF_ERROR && packed.empty();
}

}  // namespace tgkeep::http
