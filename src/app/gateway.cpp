#include <cstdlib>
#include <tgkeep/gateway.hpp>

#include "app/house.hpp"

namespace tgkeep {

class Gateway::House : public app::House {
 public:
  using app::House::House;
};

namespace {

std::vector<BotOptions> one_bot(BotOptions bot, Handler handler) {
  bot.handler = std::move(handler);
  std::vector<BotOptions> bots;
  bots.push_back(std::move(bot));
  return bots;
}

}  // namespace

Gateway::Gateway(GatewayOptions options, Handler handler)
    : house_(std::make_unique<House>(options, one_bot(options, std::move(handler)))) {}
Gateway::Gateway(ProcessOptions process, std::vector<BotOptions> bots)
    : house_(std::make_unique<House>(std::move(process), std::move(bots))) {}
Gateway::~Gateway() = default;

int Gateway::run() {
  return static_cast<int>(house_->run());
}
void Gateway::stop() {
  house_->stop(std::nullopt);
}
void Gateway::stop(Duration drain) {
  house_->stop(drain);
}
Result<std::vector<std::string>> Gateway::reload() {
  return house_->reload();
}
GatewayStats Gateway::stats(std::size_t bot) const {
  return house_->stats(bot);
}
std::vector<InFlight> Gateway::snapshot(std::size_t bot) const {
  return house_->snapshot(bot);
}
std::optional<Error> Gateway::failure() const {
  return house_->failure();
}
std::size_t Gateway::cut_off() const {
  return house_->cut_off();
}

GatewayOptions GatewayOptions::from_environment() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  GatewayOptions options(variable("TGKEEP_TOKEN"));
  if (const std::string root = variable("TGKEEP_API_ROOT"); !root.empty()) options.api_root = root;
  if (const std::string folder = variable("TGKEEP_FOLDER"); !folder.empty()) options.folder = folder;
  return options;
}

}  // namespace tgkeep
