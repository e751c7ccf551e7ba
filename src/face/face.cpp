#include "face/face.hpp"

#include <utility>

#include "face/bot_face.hpp"

namespace tgkeep::face {

Result<std::unique_ptr<Face>> make_face(const asio::any_io_executor& loop, FaceServices services,
                                        FaceSettings settings, const Log& log) {
  Result<OwnSettings> remembered = OwnSettings::load(settings.folder);
  if (!remembered) return remembered.error();
  sink::PullOptions options;
  if (settings.lease > Duration::zero()) options.ahead = 0;  // it counts from when each was handed out
  std::unique_ptr<sink::PullSink> pull =
      sink::make_pull_sink(loop, *services.clock, services.store->handouts(), options, log);
  std::unique_ptr<Outgoing> outgoing =
      make_outgoing(*services.clock, *services.api_client, settings.outgoing, log);
  return std::make_unique<BotFace>(loop, std::move(services), std::move(settings), *std::move(remembered),
                                   std::move(pull), std::move(outgoing), log);
}

}  // namespace tgkeep::face
