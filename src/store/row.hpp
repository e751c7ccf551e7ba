#pragma once
// One item as every backend keeps it, and what the port shows of it.

#include <cstdint>
#include <optional>
#include <string>
#include <tgkeep/store.hpp>
#include <type_traits>
#include <vector>

namespace tgkeep::store {

class Row {
 public:
  Row() = default;
  Seq seq;
  BotId bot;
  UpdateId update_id;
  std::string kind;
  std::vector<OrderingKey> keys;
  std::string body;
  std::uint32_t attempts = 0;
  std::uint32_t crashes = 0;
  std::uint32_t starts = 0;  ///< ended without being settled for good: so often it was handed over before
  std::uint32_t run = 0;
  std::uint32_t call = 0;
  Seq origin;  ///< outbox: the inbox item that left the call; inbox: the item this is a new run of
  DoubtPolicy doubt = DoubtPolicy::resend;
  WallTime due{};
  std::optional<WallTime> first_failed;
  WallTime received{};
  std::chrono::seconds lifetime{86400};
  bool answer_expires = false;
  bool sound = true;  ///< false: read from a file, and its checksums do not match
};

/// The row of a new update; takes its strings.
Row row_of(Update&& update, Seq seq);
/// The row of call number `n` that `parent` left when it was done.
Row row_of(const Call& call, const Row& parent, std::uint32_t n, Seq seq, WallTime now);

/// The row goes on at `seq` as a new run, with nothing behind it.
void begin_anew(Row& row, Seq seq, std::uint32_t run);

Head head_of(const Row& row);
/// What a sink gets; takes the body.
Item item_of(Queue queue, Row& row, Epoch epoch, bool order_gap);

/// Whether an item that died for this reason leaves a gap in the order of its keys.
bool leaves_gap(Queue queue, std::string_view reason) noexcept;

static_assert(!std::is_aggregate_v<Row>);

}  // namespace tgkeep::store
