#include "source/poll_trouble.hpp"

#include <algorithm>

namespace tgkeep::source {

namespace {

using std::chrono::seconds;

std::string quote(const ApiError& error) {
  std::string text = "\"" + error.description + "\"";
  if (error.code != 0) text = std::to_string(error.code) + " " + text;
  return text;
}

std::string in_seconds(Duration duration) {
  return std::to_string(std::chrono::duration_cast<seconds>(duration).count()) + " s";
}

PollTrouble conflict(const ApiError& error) {
  if (error.description.find("ebhook") != std::string::npos) {
    return PollTrouble("webhook_active",
                       "a webhook is set for this bot, so Telegram refuses polling (" + quote(error) +
                           "): delete it with deleteWebhook, or run tgkeep in webhook mode");
  }
  return PollTrouble("other_poller", "another program polls with this bot's token (" + quote(error) +
                                         "): stop it; until then each gets a part of the updates");
}

PollTrouble refusal(const ApiError& error, Duration suspended_retry) {
  switch (error.code) {
    case 401:
    case 404:
      return PollTrouble("suspended",
                         "Telegram does not accept the bot's token (" + quote(error) +
                             "): check it and the API's address; it is tried again every " +
                             in_seconds(suspended_retry),
                         suspended_retry);
    case 409:
      return conflict(error);
    case 429:
      return PollTrouble("flood", "Telegram asks to wait (" + quote(error) + "); nothing needs to be done");
    default:
      return PollTrouble("refused", "Telegram refuses the call (" + quote(error) + "): see what it says");
  }
}

}  // namespace

PollTrouble read_trouble(const ApiError& error, Duration suspended_retry) {
  PollTrouble trouble("unreachable",
                      "no answer from the Bot API (" + quote(error) + "): check the network if this goes on");
  if (error.kind == ApiError::Kind::refused) {
    trouble = refusal(error, suspended_retry);
  } else if (error.code != 0) {
    trouble = PollTrouble("server", "the Bot API does not work properly (" + quote(error) +
                                        "): wait, and check what stands between if this goes on");
  }
  // In full, however long: coming back early prolongs it. A server that says 0 gets a second all the same.
  if (error.retry_after) trouble.wait = std::max(seconds(1), *error.retry_after);
  return trouble;
}

}  // namespace tgkeep::source
