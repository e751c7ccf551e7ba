// Any bytes as the body of a 2xx answer, as JSON and as a form: a call with a safe name and one JSON object,
// or none. The same bytes as a settlement.

#include <boost/json/parse.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sink/settle_request.hpp"
#include "sink/webhook_reply.hpp"

namespace {

void check(const tgkeep::Call& call) {
  if (!tgkeep::sink::is_method_name(call.method) || !tgkeep::sink::may_be_left(call.method)) std::abort();
  boost::json::parse_options options;
  options.max_depth = 100;
  boost::system::error_code error;
  const auto params = boost::json::parse(call.params, error, {}, options);
  if (error || !params.is_object()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tgkeep;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  for (const std::string_view type : {"application/json", "application/x-www-form-urlencoded"}) {
    const sink::WebhookReply reply = sink::read_webhook_reply(type, body);
    if (reply.call && !reply.ignored.empty()) std::abort();
    if (reply.call) check(*reply.call);
  }
  const auto settlement = sink::read_settle_request(body);
  if (!settlement && settlement.error().text().empty()) std::abort();
  if (settlement) {
    for (const Call& call : settlement->outcome.calls) check(call);
  }
  return 0;
}
