#include "app/ask/session.hpp"

#include <boost/json.hpp>
#include <cstdio>

#include "app/ask/json_fields.hpp"
#include "app/commands/command_end.hpp"

namespace tgkeep::app {

namespace {

Exit exit_of(int status) {
  switch (status) {
    case 400:
    case 401:
    case 403:
      return Exit::wrong;
    case 404:
      return Exit::not_found;
    case 409:
      return Exit::refused;
    default:
      return Exit::failed;
  }
}

/// The names of the bots of a status, or their ids.
std::string names_of(const json::value& status) {
  std::string names;
  for (const json::value& bot : list_at(status, "bots")) {
    const std::string name = text_at(bot, "name");
    names += (names.empty() ? "" : ", ") + (name.empty() ? std::to_string(number_at(bot, "id")) : name);
  }
  return names;
}

CommandEnd refusal(const AdminReply& reply, const json::value& answer) {
  const std::string text = text_at(member(answer, "error"), "text");
  if (text.empty()) {
    return CommandEnd(exit_of(reply.status),
                      "it answered with status " + std::to_string(reply.status) +
                          " and no reason; is it a tgkeep of this version that answers there?");
  }
  return CommandEnd(exit_of(reply.status), text, reply.body);
}

}  // namespace

Session::Session(const ReachOptions& options, Need need)
    : options_(options), reached_(reach(options, need)) {}

json::value Session::get(const Target& target) {
  return ask(AdminRequest(target.text()));
}

json::value Session::post(const Target& target, const json::object& body, Duration timeout,
                          std::function<void()> meanwhile) {
  AdminRequest request(target.text(), json::serialize(body));
  request.timeout = timeout;
  request.meanwhile = std::move(meanwhile);
  return ask(std::move(request));
}

bool Session::is_there() {
  return reached_.caller->ask(AdminRequest("/healthz")).has_value();
}

json::value Session::ask(AdminRequest request) {
  const bool of_the_only_bot = options_.bot.empty() && request.target.starts_with("/api/bots/-/");
  Result<AdminReply> reply = reached_.caller->ask(std::move(request));
  if (reply.has_error()) throw CommandEnd(Exit::failed, reply.error().text());
  boost::system::error_code broken;
  json::value answer = json::parse(reply->body, broken);
  if (reply->status == 404 && of_the_only_bot) {
    const json::value status = get(Target({"status"}));
    if (list_at(status, "bots").size() > 1) {
      throw CommandEnd(Exit::wrong, "--bot: there are several bots: say which (" + names_of(status) + ")");
    }
  }
  if (reply->status < 200 || reply->status > 299 || broken) {
    throw refusal(*reply, broken ? json::value() : answer);
  }
  raw_ = std::move(reply->body);
  return answer;
}

void print_json(const std::string& answer) {
  const std::string text = answer + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace tgkeep::app
