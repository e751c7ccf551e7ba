#include "face/call_plan.hpp"

#include <charconv>

#include "face/method_nature.hpp"

namespace tgkeep::face {

namespace {

using Rank = rules::CallAsk::Rank;

constexpr std::size_t kLongestName = 64;   // of methods in logs
constexpr std::size_t kLongestLine = 256;  // of what callers choose
// The server absorbs flood waits of some seconds itself, so a short timeout would make doubts.
constexpr Duration kTimeout = std::chrono::seconds(100);
constexpr Duration kUploadTimeout = std::chrono::seconds(600);

/// Nothing that would end the path: neither slash nor question mark nor a fragment.
std::string as_segment(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '_';
    if (plain) {
      encoded += letter;
    } else {
      encoded += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return encoded;
}

/// As libcurl would cut it off.
std::string without_fragment(std::string_view query) {
  std::string kept;
  for (const char letter : query) {
    if (letter == '#') {
      kept += "%23";
    } else {
      kept += letter;
    }
  }
  return kept;
}

/// "0042" and "42" are one chat, and so are "@Name" and "@name".
std::string chat_name(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return std::to_string(number);
  return telegram::lower_case(text);
}

/// "" when it concerns none.
std::string chat_line(const telegram::Params& params) {
  const std::string_view chat = params.text("chat_id");
  const std::string_view connection = params.text("business_connection_id");
  const std::string_view inline_message = params.text("inline_message_id");
  if (!chat.empty()) {
    std::string line = "chat " + chat_name(chat.substr(0, kLongestLine));
    if (!connection.empty()) line.append(" of ").append(connection.substr(0, kLongestLine));
    return line;
  }
  if (!inline_message.empty()) return "inline message " + std::string(inline_message.substr(0, kLongestLine));
  return {};
}

}  // namespace

CallPlan plan_call(const Call& call) {
  CallPlan plan;
  plan.method = call.method.substr(0, kLongestName);
  plan.reads = only_reads(call.method);
  plan.repeatable = call.whole && may_repeat(call.method);
  plan.ask.bytes = call.body.size();
  plan.ask.line = "method " + telegram::lower_case(plan.method);
  if (is_urgent(call.method)) {
    plan.ask.rank = Rank::urgent;
    return plan;
  }
  if (plan.reads) {
    plan.ask.rank = Rank::reading;
    return plan;
  }
  const std::string* const marked = http::find_header(call.request.headers, "Tgkeep-Bulk");
  if (call.path.bulk || (marked != nullptr && *marked == "1")) plan.ask.rank = Rank::bulk;
  std::string line = chat_line(call.params);
  if (!line.empty()) {
    plan.ask.line = std::move(line);
    plan.ask.in_order = true;
  }
  return plan;
}

http::ClientRequest request_of(const Call& call, const OutgoingOptions& options) {
  std::string url = options.api_root + "/bot" + options.token + "/";
  if (options.test_environment || call.path.test) url += "test/";
  url += as_segment(call.method);
  if (!call.path.query.empty()) url += "?" + without_fragment(call.path.query);
  const bool has_body = !call.body.empty() || !call.whole;
  http::ClientRequest request(has_body ? "POST" : call.http_method, std::move(url));
  if (!call.content_type.empty()) request.headers.emplace_back("Content-Type", call.content_type);
  request.timeout = call.whole ? kTimeout : kUploadTimeout;
  // Of other calls each try counts, so that a refusal of a second one is not taken for the first's.
  request.repeatable = call.whole && only_reads(call.method);
  return request;
}

}  // namespace tgkeep::face
