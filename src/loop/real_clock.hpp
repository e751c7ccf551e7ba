#pragma once
// The machine's clocks.

#include <boost/asio/any_io_executor.hpp>
#include <tgkeep/clock.hpp>

namespace tgkeep::loop {

class RealClock final : public Clock {
 public:
  explicit RealClock(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}
  MonoTime mono() const override;
  WallTime wall() const override;
  std::unique_ptr<Alarm> at(MonoTime when, std::function<void()> wake) override;

 private:
  boost::asio::any_io_executor executor_;
};

}  // namespace tgkeep::loop
