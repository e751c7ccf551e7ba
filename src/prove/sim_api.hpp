#pragma once
// The network between one simulated life and Telegram.

#include <memory>
#include <tgkeep/api.hpp>

#include "prove/sim_scene.hpp"

namespace tgkeep::prove {

class SimTelegram;

class SimApi final : public Api {
 public:
  SimApi(SimScene& scene, SimTelegram& telegram, std::shared_ptr<SimLifeFlag> life)
      : scene_(scene), telegram_(telegram), life_(std::move(life)) {}
  asio::awaitable<ApiResult> call(ApiRequest request) override;

 private:
  asio::awaitable<ApiResult> send(const ApiRequest& request);

  SimScene& scene_;
  SimTelegram& telegram_;
  std::shared_ptr<SimLifeFlag> life_;
};

}  // namespace tgkeep::prove
