#pragma once
// Somebody who can be asked what docs/admin_api.md lists: a running process, or the files of one that is
// down.

#include <functional>
#include <string>
#include <tgkeep/error.hpp>
#include <tgkeep/time.hpp>

namespace tgkeep::app {

class AdminRequest {
 public:
  explicit AdminRequest(std::string target) : target(std::move(target)) {}
  AdminRequest(std::string target, std::string body)
      : method("POST"), target(std::move(target)), body(std::move(body)) {}
  std::string method = "GET";
  std::string target;
  std::string body;
  Duration timeout = std::chrono::minutes(1);
  /// Called a few times a second while the answer is awaited; absent: nothing is.
  std::function<void()> meanwhile;
};

class AdminReply {
 public:
  AdminReply() = default;
  AdminReply(int status, std::string body) : status(status), body(std::move(body)) {}
  int status = 0;
  std::string body;
};

class Caller {
 public:
  virtual ~Caller() = default;
  /// Returns when the answer is there; an error when none came, and what to do about it.
  virtual Result<AdminReply> ask(AdminRequest request) = 0;
  /// Lets so much time go by, in which what was begun goes on.
  virtual void pass(Duration time) = 0;

 protected:
  Caller() = default;
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
};

}  // namespace tgkeep::app
