#pragma once
// The alarms of a clock that is moved by hand, in the order of their times.

#include <functional>
#include <map>
#include <memory>
#include <tgkeep/clock.hpp>
#include <utility>

namespace tgkeep::loop {

/// Everything on the loop's thread. What `add` returns may outlive it.
class AlarmLine {
 public:
  /// `on_empty` is called when an alarm that is destroyed was the last.
  explicit AlarmLine(std::function<void()> on_empty = {}) : alarms_(std::make_shared<Alarms>()) {
    alarms_->on_empty = std::move(on_empty);
  }
  ~AlarmLine() { alarms_->on_empty = {}; }
  AlarmLine(const AlarmLine&) = delete;
  AlarmLine& operator=(const AlarmLine&) = delete;

  std::unique_ptr<Alarm> add(MonoTime when, std::function<void()> wake) {
    return std::make_unique<Entry>(alarms_, when, std::move(wake));
  }
  bool empty() const noexcept { return alarms_->by_time.empty(); }
  std::size_t size() const noexcept { return alarms_->by_time.size(); }
  /// When the first is due; not when empty.
  MonoTime first() const { return alarms_->by_time.begin()->first; }
  /// Takes the first out; the caller calls it. Not when empty.
  std::function<void()> take_first() {
    return std::move(alarms_->by_time.extract(alarms_->by_time.begin()).mapped());
  }

 private:
  struct Alarms {
    std::multimap<MonoTime, std::function<void()>> by_time;
    std::function<void()> on_empty;
  };

  class Entry final : public Alarm {
   public:
    Entry(std::shared_ptr<Alarms> alarms, MonoTime when, std::function<void()> wake)
        : alarms_(std::move(alarms)) {
      place_ = alarms_->by_time.emplace(when, [this, wake = std::move(wake)] {
        fired_ = true;
        wake();
      });
    }
    ~Entry() override {
      if (!fired_) alarms_->by_time.erase(place_);
      if (alarms_->by_time.empty() && alarms_->on_empty) alarms_->on_empty();
    }

   private:
    std::shared_ptr<Alarms> alarms_;
    std::multimap<MonoTime, std::function<void()>>::iterator place_;
    bool fired_ = false;
  };

  std::shared_ptr<Alarms> alarms_;
};

}  // namespace tgkeep::loop
