#include "sink/settle_request.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "sink/webhook_reply.hpp"

namespace tgkeep::sink {

namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 100;
constexpr std::size_t kMaxCalls = 100;
constexpr std::size_t kMaxWords = 1000;
constexpr std::chrono::seconds kMaxAfter = std::chrono::hours(24);

Error wrong(std::string text) {
  return Error(Errc::bad_answer, std::move(text));
}

// Cut between characters.
std::string cut(std::string_view text) {
  if (text.size() <= kMaxWords) return std::string(text);
  std::size_t end = kMaxWords;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end));
}

Result<std::string> text_of(const json::object& body, std::string_view name, std::string_view otherwise) {
  const json::value* const value = body.if_contains(name);
  if (value == nullptr || value->is_null()) return std::string(otherwise);
  if (!value->is_string()) return wrong("`" + std::string(name) + "` must be a string");
  const json::string& text = value->get_string();
  return cut(std::string_view(text.data(), text.size()));
}

Result<std::optional<Duration>> seconds_of(const json::object& body, std::string_view name) {
  const json::value* const value = body.if_contains(name);
  if (value == nullptr || value->is_null()) return std::optional<Duration>();
  double seconds = -1;
  if (value->is_number()) seconds = value->to_number<double>();
  if (!(seconds >= 0 && seconds <= static_cast<double>(kMaxAfter.count()))) {
    return wrong("`" + std::string(name) + "` must be a number of seconds from 0 to 86400");
  }
  return std::optional<Duration>(
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds)));
}

Result<Call> read_call(const json::value& value) {
  const json::object* const object = value.if_object();
  const json::value* const method = object == nullptr ? nullptr : object->if_contains("method");
  if (method == nullptr || !method->is_string()) {
    return wrong("each of `calls` must be an object with `method`, a string");
  }
  std::string name(method->get_string());
  if (!is_method_name(name)) return wrong("`method` must be a name of letters and digits");
  if (!may_be_left(name)) {
    return wrong("`" + name +
                 "` can't be left to the outbox: nobody sees its result, or it would cut off the bot");
  }
  const json::value* const params = object->if_contains("params");
  if (params == nullptr) return Call(std::move(name), "{}");
  if (!params->is_object()) return wrong("`params` of " + name + " must be an object");
  return Call(std::move(name), json::serialize(*params));
}

Result<std::vector<Call>> read_calls(const json::object& body) {
  std::vector<Call> calls;
  const json::value* const value = body.if_contains("calls");
  if (value == nullptr || value->is_null()) return calls;
  const json::array* const list = value->if_array();
  if (list == nullptr) return wrong("`calls` must be a list");
  if (list->size() > kMaxCalls) return wrong("`calls` must be at most 100");
  for (const json::value& entry : *list) {
    Result<Call> call = read_call(entry);
    if (!call) return call.error();
    calls.push_back(std::move(*call));
  }
  return calls;
}

Result<SettleRequest> read_done(const json::object& body) {
  SettleRequest request;
  request.outcome = Outcome::done();
  Result<std::vector<Call>> calls = read_calls(body);
  if (!calls) return calls.error();
  request.outcome.calls = std::move(*calls);
  return request;
}

Result<SettleRequest> read_retry(const json::object& body) {
  const auto after = seconds_of(body, "after");
  if (!after) return after.error();
  Result<std::string> error = text_of(body, "error", "the bot asked for another attempt");
  if (!error) return error.error();
  SettleRequest request;
  request.action = SettleRequest::Action::retry;
  request.outcome = Outcome::retry(std::move(*error));
  request.outcome.after = *after;
  return request;
}

Result<SettleRequest> read_dead(const json::object& body) {
  Result<std::string> reason = text_of(body, "reason", "handler");
  if (!reason) return reason.error();
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (reason->empty() || reason->size() > 32 || !std::ranges::all_of(*reason, is_word)) {
    return wrong("`reason` must be a short word of a-z, 0-9 and _: it is counted; sentences go to `error`");
  }
  Result<std::string> error = text_of(body, "error", "given up by the bot");
  if (!error) return error.error();
  SettleRequest request;
  request.action = SettleRequest::Action::dead;
  request.outcome = Outcome::dead(std::move(*reason), std::move(*error));
  return request;
}

Result<SettleRequest> read_renew(const json::object& body) {
  const auto renewal = seconds_of(body, "seconds");
  if (!renewal) return renewal.error();
  SettleRequest request;
  request.action = SettleRequest::Action::renew;
  request.renewal = *renewal;
  return request;
}

}  // namespace

std::string_view to_string(SettleRequest::Action action) noexcept {
  switch (action) {
    case SettleRequest::Action::done:
      return "done";
    case SettleRequest::Action::retry:
      return "retry";
    case SettleRequest::Action::dead:
      return "dead";
    case SettleRequest::Action::renew:
      break;
  }
  return "renew";
}

Result<json::value> read_settle_body(std::string_view body, std::string_view example) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  json::value value = json::parse(json::string_view(body.data(), body.size()), error, {}, options);
  if (error) return Error(Errc::bad_json, "the body is not valid JSON; send " + std::string(example));
  return value;
}

Result<SettleRequest> read_settle_request(const json::object& body) {
  const json::value* const action = body.if_contains("action");
  if (action != nullptr && action->is_string()) {
    const json::string& name = action->get_string();
    if (name == "done") return read_done(body);
    if (body.contains("calls"))
      return wrong("`calls` go only with the action done: nothing else commits them");
    if (name == "retry") return read_retry(body);
    if (name == "dead") return read_dead(body);
    if (name == "renew") return read_renew(body);
  }
  return wrong("`action` must be done, retry, dead or renew");
}

Result<SettleRequest> read_settle_request(std::string_view body) {
  const auto value = read_settle_body(body, R"({"action":"done"})");
  if (!value) return value.error();
  const json::object* const object = value->if_object();
  return read_settle_request(object == nullptr ? json::object() : *object);
}

}  // namespace tgkeep::sink
