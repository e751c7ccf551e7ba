// The server's request reader on any bytes, whole and in pieces: it must not crash, pieces must change
// nothing, and what it holds stays within its limits. The first byte chooses the pieces.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "http/request_reader.hpp"

namespace {

using tgkeep::http::RequestReader;
using tgkeep::http::ServerRequest;
using State = RequestReader::State;

constexpr std::size_t kMaxHeader = 1000;
constexpr std::size_t kMaxBody = 2000;

void require(bool good) {
  if (!good) std::abort();
}

/// What came out of a connection's bytes.
class Heard {
 public:
  Heard() = default;
  std::vector<std::string> requests;
  int refusal = 0;
  bool operator==(const Heard&) const = default;
};

std::string flat(const ServerRequest& request) {
  std::string text = request.method + " " + request.target + "\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\n";
  return text + "\n" + request.body;
}

void check(const ServerRequest& request) {
  require(request.body.size() <= kMaxBody);
  require(!request.method.empty() && (request.target.starts_with('/') || request.target == "*"));
  for (const auto& [name, value] : request.headers) {
    require(!name.empty());
    require(name.find_first_of(std::string_view(": \r\n\0", 5)) == std::string::npos);
    require(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  }
}

/// Takes `input` as a connection would, until nothing more is taken.
void drain(RequestReader& reader, std::string& input, Heard& heard) {
  for (;;) {
    const std::size_t size = reader.take(input);
    require(size <= input.size());
    input.erase(0, size);
    if (reader.state() == State::check) {
      require(reader.request().body.empty());
      reader.accept();
    } else if (reader.state() == State::complete) {
      const ServerRequest request = reader.release();
      check(request);
      heard.requests.push_back(flat(request));
    } else {
      break;
    }
  }
  if (reader.state() == State::bad) {
    heard.refusal = reader.refusal();
    require(heard.refusal >= 400 && heard.refusal < 600);
  } else {
    require(input.size() <= kMaxHeader);
  }
  require(reader.held() <= 64 * kMaxHeader + 4 * kMaxBody + 8192);
}

Heard hear(std::string_view bytes, std::size_t piece) {
  RequestReader reader(tgkeep::http::ReaderLimits(kMaxHeader, kMaxBody));
  Heard heard;
  std::string input;
  while (!bytes.empty() && heard.refusal == 0) {
    input += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    drain(reader, input, heard);
  }
  return heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Heard whole = hear(bytes, bytes.size() + 1);
  const Heard pieces = hear(bytes, data[0] + 1U);
  // Whole, an error may be seen before the limit it is behind, and the other way round: only what was served
  // must be the same.
  require(whole.requests == pieces.requests);
  return 0;
}
