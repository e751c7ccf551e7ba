// What the neighbours of these tests would do.

#include "face/call.hpp"

namespace tgkeep::face {

asio::awaitable<CallOrReply> read_call(FacePath path, http::ServerRequest request) {
  Call call;
  telegram::add_form(call.params, path.query);
  telegram::add_body(call.params, "application/json", request.body);
  call.method = path.rest.empty() ? std::string(call.params.text("method")) : path.rest;
  call.path = std::move(path);
  call.http_method = request.method;
  CallOrReply read(std::move(call));
  co_return read;
}

}  // namespace tgkeep::face
