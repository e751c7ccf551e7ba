#pragma once
// The webhook that a bot has set at its face, and what else it has asked for that is to last.

#include <cstdint>
#include <optional>
#include <string>
#include <tgkeep/error.hpp>
#include <type_traits>

#include "face/asked_kinds.hpp"
#include "face/bot_sink.hpp"

namespace tgkeep::face {

class OwnWebhook {
 public:
  explicit OwnWebhook(std::string url) : url(std::move(url)) {}
  std::string url;      ///< as the bot gave it; may hold a password
  std::string target;   ///< the same with its scheme: what is sent to
  std::string place;    ///< its host and port
  std::string secret;   ///< "" = none
  std::string address;  ///< what the host resolved to when it was set
  std::uint32_t max_connections = 100;
};

/// Kept in `face.json` of the bot's folder. Everything on one thread.
class OwnSettings {
 public:
  /// Nothing is set; kept only in memory.
  OwnSettings() = default;
  /// Of this folder; nothing is set when the file is not there. bad_config names a damaged one,
  /// store_unusable one that can't be read.
  static Result<OwnSettings> load(const std::string& folder);
  /// Durable when it returns; on an error the file is as it was before. Waits for the disk.
  Result<void> save() const;

  std::optional<OwnWebhook> webhook;
  std::optional<Kinds> kinds;  ///< what the bot asked for last; absent: it never did
  std::optional<DropMark> dropped;

 private:
  std::string path_;
};

static_assert(!std::is_aggregate_v<OwnWebhook> && !std::is_aggregate_v<OwnSettings>);

}  // namespace tgkeep::face
