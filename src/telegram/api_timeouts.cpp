#include <algorithm>
#include <boost/json.hpp>
#include <tgkeep/api_client.hpp>

namespace tgkeep {

namespace {

namespace json = boost::json;

// Of a call that waits at the server; 0 when there is none to be read.
Duration own_wait(const std::string& params) {
  boost::system::error_code failure;
  const json::value value = json::parse(params, failure);
  if (failure || !value.is_object()) return {};
  const json::value* const timeout = value.get_object().if_contains("timeout");
  if (timeout == nullptr || !timeout->is_int64()) return {};
  // Telegram waits 50 s at most.
  return std::chrono::seconds(std::clamp<std::int64_t>(timeout->get_int64(), 0, 50));
}

}  // namespace

ApiTimeouts::ApiTimeouts() {
  methods.emplace("getFile", std::chrono::minutes(10));
  for (const char* const method :
       {"setWebhook", "sendPhoto", "sendVideo", "sendAudio", "sendDocument", "sendAnimation", "sendVoice",
        "sendVideoNote", "sendSticker", "sendMediaGroup", "sendPaidMedia", "editMessageMedia"}) {
    methods.emplace(method, std::chrono::minutes(1));
  }
}

Duration ApiTimeouts::of(const ApiRequest& request) const {
  if (request.timeout > Duration::zero()) return request.timeout;
  if (!request.files.empty()) return upload;
  const auto known = methods.find(request.method);
  if (known != methods.end()) return known->second;
  if (request.method == "getUpdates") return own_wait(request.params) + poll_margin;
  return usual;
}

}  // namespace tgkeep
