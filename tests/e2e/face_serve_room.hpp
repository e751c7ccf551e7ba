#pragma once
// `tgkeep serve` with a face, and a bot that talks to it.

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "e2e/receiver_thread.hpp"
#include "e2e/serve_room.hpp"

namespace tgkeep::test {

namespace json = boost::json;

/// What a bot was handed: number and text.
using Updates = std::vector<std::pair<std::int64_t, std::string>>;

class FaceServe : public ServeRoom {
 protected:
  Environment pull_environment(const Environment& more = {}) const {
    Environment all = environment(more);
    all.emplace("TGKEEP_HANDLER", "pull");
    all.emplace("TGKEEP_FACE_LISTEN", "127.0.0.1:0");
    all.emplace("TGKEEP_DRAIN", "1s");
    return all;
  }
  /// The API root for bots, once the process has said it.
  static std::string face_at(Process& process) {
    if (!process.wait_for_line(" face_opened ")) ADD_FAILURE() << process.output();
    const std::string& output = process.output();
    const std::size_t at = output.find("api_root=", output.find(" face_opened ")) + 9;
    return output.substr(at, output.find_first_of(" \n", at) - at);
  }
  static http::ClientResponse call(const std::string& root, const std::string& method,
                                   const json::object& params, std::string_view token = kBotToken) {
    return post(root + "/bot" + std::string(token) + "/" + method, {}, json::serialize(params));
  }
  static Updates updates_in(const http::ClientResponse& response) {
    EXPECT_EQ(response.status, 200) << response.body;
    Updates updates;
    const json::value answer = json::parse(response.body);
    for (const json::value& update : answer.at("result").as_array()) {
      updates.emplace_back(update.at("update_id").as_int64(), update.at("message").at("text").as_string());
    }
    return updates;
  }
  static Updates poll(const std::string& root, std::int64_t offset, std::string_view token = kBotToken,
                      int timeout = 50) {
    return updates_in(call(root, "getUpdates", {{"offset", offset}, {"timeout", timeout}}, token));
  }
  /// Polls from `offset` on until so many have come; confirms all but the last batch.
  static Updates poll_until(const std::string& root, std::int64_t offset, std::size_t count) {
    Updates all;
    while (all.size() < count) {
      const Updates batch = poll(root, offset);
      all.insert(all.end(), batch.begin(), batch.end());
      if (!batch.empty()) offset = batch.back().first + 1;
    }
    return all;
  }
  static std::vector<std::string> texts(const Updates& updates) {
    std::vector<std::string> all;
    for (const auto& [id, text] : updates) all.push_back(text);
    return all;
  }
  /// The one bot as `tgkeep status --json` shows it.
  static json::value status(const Environment& environment) {
    Process shown({program(), "status", "--json"}, environment);
    EXPECT_EQ(shown.wait(), 0) << shown.output();
    return json::parse(shown.output()).at("bots").at(0);
  }
};

}  // namespace tgkeep::test
