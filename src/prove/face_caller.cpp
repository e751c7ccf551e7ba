#include "prove/face_caller.hpp"

#include <utility>

namespace tgkeep::prove {

namespace {

constexpr std::int64_t kMostOfOneLife = 10'000'000;
// Longer than a call may be held, and than its own timeouts.
constexpr std::chrono::seconds kPatience{600};

Told told_by(const http::ClientResponse& response) {
  if (response.status == 200 && response.body.starts_with("{\"ok\":true")) return Told::ok;
  const std::string* const outcome = http::find_header(response.headers, "Tgkeep-Outcome");
  if (outcome == nullptr) return Told::silent;
  if (*outcome == "refused") return Told::refused;
  if (*outcome == "maybe_sent") return Told::maybe_sent;
  if (*outcome != "not_sent") return Told::silent;
  return response.status == 429 ? Told::held : Told::not_sent;
}

}  // namespace

FaceCaller::FaceCaller(http::Client& client, const FacePlace& place, const std::string& token,
                       std::shared_ptr<const Witness> log, std::int64_t life)
    : client_(client),
      place_(place),
      url_(place.root() + "/bot" + token + "/sendMessage"),
      log_(std::move(log)),
      last_(life * kMostOfOneLife) {}

asio::awaitable<void> FaceCaller::send(std::int64_t chat) {
  const std::int64_t number = ++last_;
  http::ClientRequest request("POST", url_);
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = "{\"chat_id\":" + std::to_string(chat) + ",\"text\":\"" + call_text(number) + "\"}";
  request.timeout = kPatience;
  const std::int64_t life = place_.life();
  log_->write(made_line(number, chat));
  http::ClientResult result = co_await client_.send(std::move(request));
  const Told told = co_await outcome_of(std::move(result), life);
  log_->write(told_line(number, told));
}

asio::awaitable<Told> FaceCaller::outcome_of(http::ClientResult result, std::int64_t life) {
  if (!result.has_error()) co_return told_by(*result);
  if (result.error().kind == http::ClientError::Kind::not_sent) co_return Told::unreached;
  const bool lives = co_await place_.lives_on(life);
  co_return lives ? Told::cut : Told::broken;
}

}  // namespace tgkeep::prove
