// What the neighbours of these tests would do.

#include "face/call.hpp"

namespace tgkeep::telegram {

std::string renumbered(std::string_view raw, std::int64_t id) {
  const std::size_t first = raw.find(':') + 1;
  return R"({"update_id":)" + std::to_string(id) + std::string(raw.substr(raw.find(',', first)));
}

}  // namespace tgkeep::telegram

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
