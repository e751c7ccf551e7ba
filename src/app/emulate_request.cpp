#include "app/emulate_request.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "emulator/world/base64.hpp"
#include "http/client.hpp"

namespace tgkeep::app {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr int kWrong = 2;
// Longer than any wait for calls.
constexpr Duration kPatience = std::chrono::minutes(10);

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Their values are text, even when they look like numbers.
constexpr std::array<std::string_view, 12> kTexts = {"text",  "caption", "data",       "query",
                                                     "name",  "title",   "first_name", "username",
                                                     "token", "emoji",   "result_id",  "bytes"};

json::value to_value(const std::string& name, const std::string& text) {
  if (std::ranges::find(kTexts, name) != kTexts.end()) return json::value(text);
  boost::system::error_code error;
  json::value parsed = json::parse(text, error);
  return error ? json::value(text) : parsed;
}

/// A list, one update, or one a line.
std::optional<json::array> read_updates(const std::string& text) {
  boost::system::error_code error;
  json::value whole = json::parse(text, error);
  if (!error && whole.is_array()) return whole.get_array();
  if (!error && whole.is_object()) return json::array{whole};
  json::array updates;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    json::value update = json::parse(line, error);
    if (error || !update.is_object()) return std::nullopt;
    updates.push_back(std::move(update));
  }
  return updates;
}

int complain(const std::string& words) {
  std::fprintf(stderr, "tgkeep: %s\n", words.c_str());
  return kWrong;
}

/// Puts a file's content into the request; the complaint, if there is one.
std::string add_file(json::object& body, const std::string& request, const std::string& path) {
  const std::optional<std::string> content = read_file(path);
  if (!content) return "file: cannot read " + path;
  if (request == "updates") {
    std::optional<json::array> updates = read_updates(*content);
    if (!updates) return "file: " + path + " is neither an update, nor a list of them, nor one a line";
    body["updates"] = *std::move(updates);
    return {};
  }
  if (request == "restore") {
    body["snapshot"] = to_value("snapshot", *content);
    return {};
  }
  body["base64"] = emulator::base64(*content);
  if (!body.contains("name")) body["name"] = path.substr(path.rfind('/') + 1);
  return {};
}

asio::awaitable<void> send(http::Client& client, http::ClientRequest request,
                           std::optional<http::ClientResult>& result) {
  http::ClientResult got = co_await client.send(std::move(request));
  result.emplace(std::move(got));
}

}  // namespace

int ask_emulator(const std::string& root, const std::string& request,
                 const std::vector<std::string>& arguments) {
  json::object body;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) return complain(argument + ": arguments look like name=value");
    const std::string name = argument.substr(0, equals);
    const std::string value = argument.substr(equals + 1);
    if (name == "file") {
      const std::string wrong = add_file(body, request, value);
      if (!wrong.empty()) return complain(wrong);
    } else {
      body[name] = to_value(name, value);
    }
  }
  asio::io_context io(1);
  http::Client client(io.get_executor());
  http::ClientRequest sent("POST", root + "/control/" + request);
  sent.headers.emplace_back("Content-Type", "application/json");
  sent.body = json::serialize(body);
  sent.timeout = kPatience;
  std::optional<http::ClientResult> result;
  asio::co_spawn(io, send(client, std::move(sent), result), [](const std::exception_ptr&) {});
  while (!result && io.run_one() > 0) {
  }
  if (!result || !*result) {
    std::fprintf(stderr, "tgkeep: %s\n", result ? (*result).error().text.c_str() : "no answer");
    return 1;
  }
  boost::system::error_code error;
  const json::value answer = json::parse((*result)->body, error);
  const json::object* envelope = error ? nullptr : answer.if_object();
  const json::value* good = envelope == nullptr ? nullptr : envelope->if_contains("result");
  if (good != nullptr) return std::puts(json::serialize(*good).c_str()) < 0 ? 1 : 0;
  std::fprintf(stderr, "tgkeep: the emulator says: %s\n", (*result)->body.c_str());
  return 1;
}

}  // namespace tgkeep::app
