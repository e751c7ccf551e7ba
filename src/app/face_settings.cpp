#include "app/face_settings.hpp"

#include <algorithm>

#include "app/face_options.hpp"
#include "app/listen_place.hpp"

namespace tgkeep::app {

namespace {

bool pulls(const BotConfig& bot) {
  return bot.handler == HandlerKind::pull;
}

}  // namespace

std::optional<FaceOptions> face_to_open(const Config& config) {
  const FaceConfig& face = config.face;
  const std::vector<BotConfig> bots = config.all_bots();
  if (face.listen.empty() && std::none_of(bots.begin(), bots.end(), pulls)) return std::nullopt;
  FaceOptions options;
  if (const auto place = read_place(face.listen)) {
    options.address = place->first;
    options.port = place->second;
  }
  options.certificate = face.certificate;
  options.key = face.key;
  options.allow_plain = face.allow_plain;
  options.max_wait = face.max_wait;
  options.max_waiting = face.max_waiting;
  options.bulk_rate = face.bulk_rate;
  return options;
}

std::vector<std::string> check_face(const Config& config) {
  const std::string& listen = config.face.listen;
  if (!listen.empty() && !read_place(listen)) {
    return {"face.listen: \"" + listen + "\" is no address and port: write 127.0.0.1:8481, or [::1]:8481"};
  }
  const std::optional<FaceOptions> options = face_to_open(config);
  const std::string problem = options ? face_problem(*options) : std::string();
  if (problem.empty()) return {};
  return {problem};
}

}  // namespace tgkeep::app
