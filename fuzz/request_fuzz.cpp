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

using tgkeep::http::ReaderLimits;
using tgkeep::http::RequestReader;
using tgkeep::http::ServerRequest;
using State = RequestReader::State;

constexpr std::size_t kMaxHeader = 1000;
constexpr std::size_t kMaxBody = 2000;
constexpr std::size_t kPiece = 100;

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

/// A connection whose bodies are gathered or streamed, plain or unpacked.
class Listener {
 public:
  Listener(RequestReader::Body body, bool decodes) : reader_(limits(decodes)), body_(body) {}

  /// Takes `input` as a connection would, until nothing more is taken.
  void drain(std::string& input) {
    for (bool going = true; going;) {
      const std::size_t size = reader_.take(input);
      require(size <= input.size());
      input.erase(0, size);
      going = step() || size > 0;
    }
    require(reader_.held() <= 64 * kMaxHeader + 8 * kMaxBody + 8192);
    if (reader_.state() == State::bad) {
      heard.refusal = reader_.refusal();
      require(heard.refusal >= 400 && heard.refusal < 600);
    } else {
      require(input.size() <= kMaxHeader);
    }
  }

  Heard heard;

 private:
  static ReaderLimits limits(bool decodes) {
    ReaderLimits limits(kMaxHeader, kMaxBody);
    limits.max_stream = kMaxBody;
    limits.decodes = decodes;
    return limits;
  }

  bool step() {
    const bool streams = body_ == RequestReader::Body::streamed;
    if (reader_.state() == State::check) {
      require(reader_.request().body.empty());
      reader_.accept(body_);
      if (streams && reader_.state() != State::bad) request_ = reader_.release();
      return true;
    }
    if (streams && reader_.state() == State::body) {
      const std::string piece = reader_.take_piece(kPiece);
      require(piece.size() <= kMaxBody);
      request_.body += piece;
      return !piece.empty() || reader_.state() == State::complete;
    }
    if (reader_.state() != State::complete) return false;
    if (!streams) request_ = reader_.release();
    check(request_);
    heard.requests.push_back(flat(request_));
    if (streams) reader_.next();
    return true;
  }

  RequestReader reader_;
  RequestReader::Body body_;
  ServerRequest request_;
};

Heard hear(std::string_view bytes, std::size_t piece, RequestReader::Body body, bool decodes) {
  Listener listener(body, decodes);
  std::string input;
  while (!bytes.empty() && listener.heard.refusal == 0) {
    input += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    listener.drain(input);
  }
  return listener.heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const bool decodes : {false, true}) {
    const Heard whole = hear(bytes, bytes.size() + 1, RequestReader::Body::gathered, decodes);
    for (const auto body : {RequestReader::Body::gathered, RequestReader::Body::streamed}) {
      const Heard pieces = hear(bytes, data[0] + 1U, body, decodes);
      // Whole, an error may be seen before the limit it is behind, and the other way round: only what was
      // served must be the same.
      require(whole.requests == pieces.requests);
    }
  }
  return 0;
}
