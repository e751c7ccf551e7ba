#include "sink/pull_settling.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tgkeep::sink {

namespace {

namespace json = boost::json;

constexpr std::size_t kMaxAtOnce = 100;
constexpr std::string_view kExample = R"({"update_id":1,"action":"done"})";

SettleReply refused(int status, std::string_view error) {
  return SettleReply(SettleAnswer::refused(status, error));
}

}  // namespace

SettleReply PullSettling::answer(const http::ServerRequest& request) {
  if (request.method != "POST") return refused(405, "settle with POST and " + std::string(kExample));
  if (request.body.size() > kMaxSettleBody) return refused(413, "at most 1 MiB");
  const auto value = read_settle_body(request.body, kExample);
  if (!value) return refused(400, value.error().text());
  const json::array* const list = value->if_array();
  if (list == nullptr) return SettleReply(settle(*value));
  if (list->size() > kMaxAtOnce) return refused(413, "at most 100 at once");
  std::vector<SettleAnswer> answers;
  for (const json::value& one : *list) answers.push_back(settle(one));
  return SettleReply(std::move(answers));
}

SettleAnswer PullSettling::settle(const json::value& one) {
  const json::object* const object = one.if_object();
  if (object == nullptr) {
    return SettleAnswer::refused(400, "a settlement is an object; send " + std::string(kExample));
  }
  const json::value* const anew = object->if_contains("restarted");
  if (anew != nullptr && anew->is_bool() && anew->get_bool()) {
    hand_.restarted();
    SettleAnswer answer = SettleAnswer::taken();
    answer.body["restarted"] = true;
    return answer;
  }
  const json::value* const id = object->if_contains("update_id");
  boost::system::error_code wrong;
  const std::int64_t number = id == nullptr ? 0 : id->to_number<std::int64_t>(wrong);
  if (id == nullptr || wrong) {
    return SettleAnswer::refused(400,
                                 "`update_id` must be the number under which getUpdates gave the update");
  }
  auto request = read_settle_request(*object);
  SettleAnswer answer =
      request ? settle(number, std::move(*request)) : SettleAnswer::refused(400, request.error().text());
  answer.body["update_id"] = number;
  return answer;
}

SettleAnswer PullSettling::settle(std::int64_t number, SettleRequest request) {
  const SettleRequest::Action action = request.action;
  if (hand_.holds(number)) {
    if (action == SettleRequest::Action::renew) {
      hand_.renew(number);
      return SettleAnswer::taken(action);
    }
    auto settled = std::make_shared<SettledAs>(action);
    request.outcome.receipt = receipt_of(settled);
    settled_.remember(number, settled, clock_.mono());
    hand_.settle(number, std::move(request.outcome));
    return SettleAnswer::taken(std::move(settled));
  }
  auto before = settled_.find(number, clock_.mono());
  if (before == nullptr) {
    return SettleAnswer::refused(
        404, "not in hand: it was confirmed or given up, or comes again under another number");
  }
  return SettleAnswer::again(std::move(before), action);
}

}  // namespace tgkeep::sink
