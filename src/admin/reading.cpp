#include "admin/reading.hpp"

#include <boost/json/value.hpp>

#include "admin/picture.hpp"
#include "admin/refusal.hpp"
#include "admin/status_json.hpp"

namespace tgkeep::admin {

asio::awaitable<http::ServerReply> show_status(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  const Picture picture = co_await take_picture(office.premises);
  co_return json_reply(status_json(picture, office.options.version));
}

}  // namespace tgkeep::admin
