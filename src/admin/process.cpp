// What changes the process as a whole.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "admin/changing.hpp"
#include "admin/reading.hpp"
#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

http::ServerReply not_running() {
  return refuse(409, "misuse", "no process is running here; start one with `tgkeep serve`");
}

}  // namespace

asio::awaitable<http::ServerReply> drain_process(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (!office.premises.live()) co_return not_running();
  const Result<void> drained = co_await office.premises.drain();
  if (drained.has_error()) co_return refuse(drained.error());
  http::ServerReply status = co_await show_status(office, Inquiry());
  co_return status;
}

asio::awaitable<http::ServerReply> receive_again(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (!office.premises.live()) co_return not_running();
  const Result<void> receives = co_await office.premises.resume_receiving();
  if (receives.has_error()) co_return refuse(receives.error());
  http::ServerReply status = co_await show_status(office, Inquiry());
  co_return status;
}

asio::awaitable<http::ServerReply> reload_process(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (!office.premises.live()) co_return not_running();
  const Result<std::vector<std::string>> changes = co_await office.premises.reload();
  if (changes.has_error()) co_return refuse(changes.error());
  json::array sentences;
  for (const std::string& change : *changes) sentences.emplace_back(as_text(change));
  json::object answer;
  answer["changes"] = std::move(sentences);
  co_return json_reply(answer);
}

asio::awaitable<http::ServerReply> stop_process(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (!office.premises.live()) co_return not_running();
  const Result<void> stopping = office.premises.stop();
  if (stopping.has_error()) co_return refuse(stopping.error());
  json::object answer;
  answer["stopping"] = true;
  co_return json_reply(answer);
}

}  // namespace tgkeep::admin
