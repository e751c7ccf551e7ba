#include "store/row.hpp"

#include "store/call_key.hpp"

namespace tgkeep::store {

Row row_of(Update&& update, Seq seq) {
  Row row;
  row.seq = seq;
  row.bot = update.bot;
  row.update_id = update.id;
  row.kind = std::move(update.kind);
  row.keys = std::move(update.keys);
  row.body = std::move(update.raw);
  row.received = update.received;
  row.lifetime = update.lifetime;
  row.answer_expires = update.answer_expires;
  return row;
}

Row row_of(const Call& call, const Row& parent, std::uint32_t n, Seq seq, WallTime now) {
  Row row;
  row.seq = seq;
  row.bot = parent.bot;
  row.update_id = parent.update_id;
  row.kind = call.method;
  if (auto key = call_key(parent.bot, call.params)) row.keys.push_back(std::move(*key));
  row.body = call.params;
  row.run = parent.run;
  row.call = n;
  row.origin = parent.seq;
  row.doubt = call.doubt;
  row.received = now;
  return row;
}

void begin_anew(Row& row, Seq seq, std::uint32_t run) {
  row.seq = seq;
  row.run = run;
  row.attempts = 0;
  row.crashes = 0;
  row.starts = 0;
  row.due = WallTime{};
  row.first_failed.reset();
  row.answer_expires = false;
}

Head head_of(const Row& row) {
  Head head;
  head.seq = row.seq;
  head.keys.reserve(row.keys.size());
  for (const auto& key : row.keys) head.keys.push_back(key.hash());
  head.attempts = row.attempts;
  head.crashes = row.crashes;
  head.due = row.due;
  head.first_failed = row.first_failed;
  if (row.answer_expires) head.expires = row.received + row.lifetime;
  return head;
}

Item item_of(Queue queue, Row& row, Epoch epoch, bool order_gap) {
  Item item;
  item.queue = queue;
  item.seq = row.seq;
  item.bot = row.bot;
  item.update_id = row.update_id;
  item.kind = row.kind;
  item.keys.reserve(row.keys.size());
  for (const auto& key : row.keys) item.keys.push_back(key.text());
  item.body = std::move(row.body);
  item.attempt = row.attempts + 1;
  item.crashes = row.crashes;
  item.starts = row.starts;
  item.epoch = epoch;
  item.received = row.received;
  item.lifetime = row.lifetime;
  item.order_gap = order_gap;
  item.run = row.run;
  item.call = row.call;
  item.doubt = row.doubt;
  return item;
}

bool leaves_gap(Queue queue, std::string_view reason) noexcept {
  return queue == Queue::inbox && reason != "expired" && reason != "unreadable";
}

}  // namespace tgkeep::store
