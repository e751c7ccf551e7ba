#pragma once
// Who has signed in with a browser. In memory only: a restart signs everybody out.

#include <chrono>
#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <tgkeep/clock.hpp>

namespace tgkeep::admin {

/// Everything on the loop's thread.
class Sessions {
 public:
  static constexpr Duration kLifetime = std::chrono::hours(12);
  static constexpr std::size_t kMost = 100;  ///< then the oldest ends

  explicit Sessions(Clock& clock) : clock_(clock) {}
  /// A new id, random, to be kept secret.
  std::string begin();
  bool has(std::string_view id);
  void end(std::string_view id);

 private:
  class Session {
   public:
    Session(std::string id, MonoTime until) : id(std::move(id)), until(until) {}
    std::string id;
    MonoTime until;
  };
  void forget_expired();

  Clock& clock_;
  std::list<Session> sessions_;
};

}  // namespace tgkeep::admin
