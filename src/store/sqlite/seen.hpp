#pragma once
// Which updates have been stored (P2): a set of (bot, update_id) that outlives the items, never "highest id
// seen".

#include <optional>
#include <tgkeep/log.hpp>
#include <tgkeep/update.hpp>
#include <utility>

#include "store/sqlite/database.hpp"

namespace tgkeep::store {

class Seen {
 public:
  Seen(Database& database, std::chrono::milliseconds window, Log log);

  /// Remembers the update as `seq`, unless it was seen within the window: then returns the original's seq. A
  /// row whose checksum does not match says nothing: rather an update that comes twice than one that is lost.
  std::optional<Seq> note(BotId bot, UpdateId id, Seq seq, WallTime now);
  /// The item it is remembered as, believed as it stands there.
  std::optional<Seq> last_run(BotId bot, UpdateId id);
  /// The item goes on under another seq.
  void rename(BotId bot, UpdateId id, Seq from, Seq to);
  /// Forgets what is older than the window, in slices; keeps up with `puts` updates a batch.
  void forget(WallTime now, std::size_t puts);

 private:
  std::optional<std::pair<Seq, WallTime>> find(BotId bot, UpdateId id);

  Database& database_;
  std::chrono::milliseconds window_;
  Log log_;
  Statement insert_;
  Statement find_;
  Statement replace_;
  Statement oldest_;
  Statement forget_;
};

}  // namespace tgkeep::store
