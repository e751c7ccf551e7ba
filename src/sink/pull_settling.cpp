#include "sink/pull_settling.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace tgkeep::sink {

namespace {

namespace json = boost::json;

constexpr std::size_t kMaxAtOnce = 100;
constexpr std::size_t kMaxRemembered = 100'000;
constexpr std::string_view kExample = R"({"update_id":1,"action":"done"})";

http::ServerReply reply(int status, const json::object& body) {
  return http::ServerReply(status, json::serialize(body));
}

}  // namespace

/// The answer to one settlement.
class PullSettling::Said {
 public:
  static Said refused(int status, std::string_view error) {
    Said said(status);
    said.body["ok"] = false;
    said.body["error"] = error;
    return said;
  }
  static Said taken() {
    Said said(200);
    said.body["ok"] = true;
    return said;
  }
  int status;
  json::object body;

 private:
  explicit Said(int status) : status(status) {}
};

http::ServerReply PullSettling::answer(const http::ServerRequest& request) {
  if (request.method != "POST") {
    const Said said = Said::refused(405, "settle with POST and " + std::string(kExample));
    http::ServerReply refused = reply(said.status, said.body);
    refused.headers.emplace_back("Allow", "POST");
    return refused;
  }
  if (request.body.size() > kMaxSettleBody) return reply(413, Said::refused(413, "at most 1 MiB").body);
  const auto value = read_settle_body(request.body, kExample);
  if (!value) return reply(400, Said::refused(400, value.error().text()).body);
  const json::array* const list = value->if_array();
  if (list == nullptr) {
    const Said said = settle(*value);
    return reply(said.status, said.body);
  }
  if (list->size() > kMaxAtOnce) return reply(413, Said::refused(413, "at most 100 at once").body);
  json::array results;
  bool all = true;
  for (const json::value& one : *list) {
    Said said = settle(one);
    all = all && said.status == 200;
    if (said.status != 200) said.body["error_code"] = said.status;
    results.push_back(std::move(said.body));
  }
  json::object body;
  body["ok"] = all;
  body["results"] = std::move(results);
  return reply(200, body);
}

PullSettling::Said PullSettling::settle(const json::value& one) {
  const json::object* const object = one.if_object();
  if (object == nullptr) {
    return Said::refused(400, "a settlement is an object; send " + std::string(kExample));
  }
  const json::value* const anew = object->if_contains("restarted");
  if (anew != nullptr && anew->is_bool() && anew->get_bool()) {
    hand_.restarted();
    Said said = Said::taken();
    said.body["restarted"] = true;
    return said;
  }
  const json::value* const id = object->if_contains("update_id");
  boost::system::error_code wrong;
  const std::int64_t number = id == nullptr ? 0 : id->to_number<std::int64_t>(wrong);
  if (id == nullptr || wrong) {
    return Said::refused(400, "`update_id` must be the number under which getUpdates gave the update");
  }
  auto request = read_settle_request(*object);
  Said said = request ? settle(number, std::move(*request)) : Said::refused(400, request.error().text());
  said.body["update_id"] = number;
  return said;
}

PullSettling::Said PullSettling::settle(std::int64_t number, SettleRequest request) {
  const SettleRequest::Action action = request.action;
  Said said = Said::taken();
  said.body["action"] = to_string(action);
  if (hand_.holds(number)) {
    if (action == SettleRequest::Action::renew) {
      hand_.renew(number);
      return said;
    }
    remember(number, action);
    hand_.settle(number, std::move(request.outcome));
    return said;
  }
  const auto before = settled_.find(number);
  if (before == settled_.end()) {
    return Said::refused(404,
                         "not in hand: it was confirmed or given up, or comes again under another number");
  }
  if (before->second != action) {
    return Said::refused(409, "already settled as " + std::string(to_string(before->second)));
  }
  said.body["repeated"] = true;
  return said;
}

void PullSettling::remember(std::int64_t number, SettleRequest::Action action) {
  if (settled_order_.size() >= kMaxRemembered) {
    settled_.erase(settled_order_.front());
    settled_order_.pop_front();
  }
  settled_.insert_or_assign(number, action);
  settled_order_.push_back(number);
}

}  // namespace tgkeep::sink
