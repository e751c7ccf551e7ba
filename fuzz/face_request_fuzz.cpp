// Requests of a bot to its face: paths, queries, forms, JSON, multipart. What is passed on is a call of this
// bot by the method that was looked at, whatever came.

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "face/call.hpp"
#include "face/call_plan.hpp"
#include "loop/run_to_end.hpp"

namespace {

using namespace tgkeep;

void check(bool holds) {
  if (!holds) std::abort();
}

class Pieces final : public http::RequestStream {
 public:
  explicit Pieces(std::string body) : body_(std::move(body)) {}
  boost::asio::awaitable<std::string> read() override {
    std::string next = body_.substr(taken_, 1000);
    taken_ += next.size();
    co_return next;
  }
  std::optional<std::uint64_t> length() const override { return std::nullopt; }

 private:
  std::string body_;
  std::size_t taken_ = 0;
};

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

// A line with the target, a line with the content type, and the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view target = take_line(text);
  const std::string_view type = take_line(text);
  const std::string body(text);

  std::optional<face::FacePath> path = face::read_face_path(target);
  if (!path) return 0;
  if (path->kind != face::FacePath::Kind::method) return 0;

  http::ServerRequest request;
  request.method = "POST";
  request.headers.emplace_back("Content-Type", type);
  request.stream = std::make_shared<Pieces>(body);
  const std::string named = path->rest;
  boost::asio::io_context io;
  const face::CallOrReply read = loop::run_to_end(io, face::read_call(*path, std::move(request)));
  check(read.call.has_value() != read.reply.has_value());
  if (!read.call) {
    check(read.reply->status >= 400);
    return 0;
  }
  check(!read.call->method.empty() && (named.empty() || read.call->method == named));
  check(read.call->params.text_size() <= face::kMaxParams);
  check(!read.call->whole || read.call->body == body);

  face::OutgoingOptions options("1:token");
  options.api_root = "http://127.0.0.1:1";
  const http::ClientRequest passed = face::request_of(*read.call, options);
  std::string_view url = passed.url;
  const std::string_view root =
      read.call->path.test ? "http://127.0.0.1:1/bot1:token/test/" : "http://127.0.0.1:1/bot1:token/";
  check(url.starts_with(root));
  url.remove_prefix(root.size());
  const std::string_view method = url.substr(0, url.find('?'));
  check(telegram::percent_decoded(method, false) == read.call->method);
  check(method.find('/') == std::string_view::npos && url.find('#') == std::string_view::npos);
  face::plan_call(*read.call);
  return 0;
}
