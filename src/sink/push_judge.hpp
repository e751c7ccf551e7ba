#pragma once
// What an answer of the receiver, or its absence, means for a delivery. No I/O, no waiting.

#include <map>
#include <string>
#include <tgkeep/log.hpp>
#include <tgkeep/outcome.hpp>

#include "http/client.hpp"
#include "sink/push_sink.hpp"

namespace tgkeep::sink {

class PushJudge {
 public:
  PushJudge(const PushOptions& options, Log log);

  /// A complete answer. A call in a 2xx body is left to the outbox.
  Outcome answered(const http::ClientResponse& answer, WallTime now) const;
  /// No complete answer came.
  Outcome unanswered(const http::ClientError& error) const;

 private:
  Outcome done(const http::ClientResponse& answer) const;
  StatusRule rule(int status) const;
  std::string words(int status) const;

  std::map<int, StatusRule> rules_;
  bool webhook_reply_;
  std::string place_;  ///< host and port: the URL may hold a secret
  Log log_;
};

}  // namespace tgkeep::sink
