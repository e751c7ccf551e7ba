#pragma once
// Whoever waits for the same thing, each by an event of its own: a notification reaches every one of them.

#include <list>

#include "loop/event.hpp"

namespace tgkeep::loop {

/// Everything on the loop's thread.
class EventList {
 public:
  /// Puts an event on the list for as long as it lives.
  class Place {
   public:
    Place(EventList& list, Event& event) : list_(list.events_), place_(list_.insert(list_.end(), &event)) {}
    ~Place() { list_.erase(place_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    std::list<Event*>& list_;
    std::list<Event*>::iterator place_;
  };

  void notify_all() {
    for (Event* event : events_) event->notify();
  }

 private:
  std::list<Event*> events_;
};

}  // namespace tgkeep::loop
