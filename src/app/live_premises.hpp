#pragma once
// A running process, as an operator sees it.

#include <functional>

#include "admin/premises.hpp"
#include "app/fleet.hpp"
#include "app/reloader.hpp"
#include "app/shared_rooms.hpp"

namespace tgkeep::app {

/// Everything on the loop's thread. All references must outlive it.
class LivePremises final : public admin::Premises {
 public:
  /// `stopping` tells whether a stop has begun, `stop` begins one.
  LivePremises(SharedRooms& shared, Fleet& fleet, Reloader& reloader, const bool& stopping,
               std::function<void()> stop)
      : shared_(shared),
        fleet_(fleet),
        reloader_(reloader),
        stopping_(stopping),
        stop_(std::move(stop)),
        started_(shared.clock().wall()) {}

  bool live() const override { return true; }
  boost::asio::any_io_executor loop() const override { return shared_.loop(); }
  Clock& clock() override { return shared_.clock(); }
  std::vector<admin::OperatedBot*> bots() override { return fleet_.operated(); }
  WallTime started() const override { return started_; }
  bool stopping() const override { return stopping_; }
  bool receiving() const override { return fleet_.receiving() && !stopping_; }
  boost::asio::awaitable<Result<void>> drain() override;
  boost::asio::awaitable<Result<void>> resume_receiving() override;
  Result<void> stop() override;
  boost::asio::awaitable<Result<std::vector<std::string>>> reload() override { return reloader_.reload(); }

 private:
  SharedRooms& shared_;
  Fleet& fleet_;
  Reloader& reloader_;
  const bool& stopping_;
  std::function<void()> stop_;
  WallTime started_;
};

}  // namespace tgkeep::app
