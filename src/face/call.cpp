#include "face/call.hpp"

#include "face/reply.hpp"

namespace tgkeep::face {

namespace {

using telegram::MultipartEnd;

// As the server has it.
constexpr std::size_t kMaxFiles = 50;
// Of a part that begins where the held bytes end.
constexpr std::size_t kMaxPartHead = 64U << 10;

enum class BodyType : std::uint8_t { json, form, multipart, file };

BodyType type_of(std::string_view content_type) {
  const std::string type = telegram::lower_case(content_type);
  if (type.find("application/json") != std::string::npos) return BodyType::json;
  if (type.find("application/x-www-form-urlencoded") != std::string::npos) return BodyType::form;
  if (type.find("multipart/form-data") != std::string::npos) return BodyType::multipart;
  return BodyType::file;
}

/// What the server's own parser says: a status and nothing else.
CallOrReply bare(int status) {
  return CallOrReply(http::ServerReply(status, "", ""));
}

CallOrReply refused(int code, std::string_view description) {
  return CallOrReply(refusal(code, description));
}

/// The parameters in front of the first file that is too large; a status when there is something else.
asio::awaitable<int> read_beginning(Call& call) {
  // Held files and parameters together.
  const std::size_t most = 2 * kMaxParams + kMaxPartHead;
  for (;;) {
    telegram::Params params = call.params;
    const MultipartEnd end = telegram::add_multipart_prefix(params, call.content_type, call.body);
    const bool cut = end == MultipartEnd::in_head || end == MultipartEnd::in_parameter;
    if (call.whole || !cut) {
      call.params = std::move(params);
      co_return 0;
    }
    if (params.text_size() > kMaxParams || call.body.size() > most) co_return 413;
    call.whole = co_await gather(call.body, call.request.stream, call.body.size());
  }
}

}  // namespace

asio::awaitable<bool> gather(std::string& body, std::shared_ptr<http::RequestStream> stream,
                             std::size_t most) {
  if (!stream) co_return true;
  while (body.size() <= most) {
    std::string piece = co_await stream->read();
    if (piece.empty()) co_return true;
    if (body.empty()) {
      body = std::move(piece);
    } else {
      body += piece;
    }
  }
  co_return false;
}

asio::awaitable<CallOrReply> read_call(FacePath path, http::ServerRequest request) {
  if (request.method != "GET" && request.method != "POST") co_return bare(501);
  if (request.absolute) {
    co_return refused(404, "Not Found: absolute URI is specified in the Request-Line");
  }
  Call call;
  call.path = std::move(path);
  call.http_method = request.method;
  const std::string* const content_type = http::find_header(request.headers, "Content-Type");
  if (content_type != nullptr) call.content_type = *content_type;
  call.body = std::move(request.body);
  request.body.clear();
  call.request = std::move(request);
  telegram::add_form(call.params, call.path.query);

  const BodyType type = type_of(call.content_type);
  const bool all_parameters = type == BodyType::json || type == BodyType::form;
  if (type == BodyType::multipart &&
      telegram::boundary_of(call.content_type).size() > telegram::kLongestBoundary) {
    co_return bare(400);
  }
  if (all_parameters && call.request.stream && call.request.stream->length().value_or(0) > kMaxParams) {
    co_return bare(413);
  }
  call.whole = co_await gather(call.body, call.request.stream, kMaxParams);
  if (all_parameters && call.body.size() > kMaxParams) co_return bare(413);
  if (call.whole) {
    telegram::add_body(call.params, call.content_type, call.body);
  } else if (type == BodyType::multipart) {
    const int status = co_await read_beginning(call);
    if (status != 0) co_return bare(status);
  }
  if (call.params.text_size() > kMaxParams || call.params.uploads().size() > kMaxFiles) co_return bare(413);

  call.method = call.path.rest;
  if (call.method.empty()) call.method = call.params.text("method");
  if (call.method.empty() && !call.whole) {
    co_return refused(400,
                      "Bad Request: the parameter \"method\" comes behind a large file; name the method in "
                      "the path, or put it in front of the files");
  }
  if (call.method.empty()) co_return refused(404, "Not Found: method not found");
  CallOrReply read(std::move(call));
  co_return read;
}

}  // namespace tgkeep::face
