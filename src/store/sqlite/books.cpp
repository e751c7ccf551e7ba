#include "store/sqlite/books.hpp"

#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

namespace {

class Tally {
 public:
  constexpr Tally(std::string_view name, std::int64_t QueueCounts::*member) : name(name), member(member) {}
  std::string_view name;
  std::int64_t QueueCounts::*member;
};

constexpr std::array kTallies{
    Tally("stored", &QueueCounts::stored),     Tally("duplicates", &QueueCounts::duplicates),
    Tally("pending", &QueueCounts::pending),   Tally("in_flight", &QueueCounts::in_flight),
    Tally("retrying", &QueueCounts::retrying), Tally("held", &QueueCounts::held),
    Tally("done", &QueueCounts::done),         Tally("in_doubt", &QueueCounts::in_doubt),
};
constexpr std::string_view kDead = "dead:";
constexpr std::string_view kDropped = "dropped:";

void read_total(QueueCounts& counts, std::string_view name, std::int64_t value) {
  for (const Tally& tally : kTallies) {
    if (tally.name == name) counts.*tally.member = value;
  }
  if (value == 0) return;
  if (name.starts_with(kDead)) counts.dead[std::string(name.substr(kDead.size()))] = value;
  if (name.starts_with(kDropped)) counts.dropped[std::string(name.substr(kDropped.size()))] = value;
}

}  // namespace

Books::Books(Database& database)
    : put_total_(database.prepare("INSERT OR REPLACE INTO total VALUES (?, ?, ?)")),
      put_meta_(database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)")) {
  Statement totals = database.prepare("SELECT queue, name, value FROM total");
  for (Cursor row = totals.rows(); row.next();) {
    read_total(now_.totals[row.integer(0) == 0 ? 0 : 1], row.bytes(1), row.integer(2));
  }
  std::optional<std::int64_t> sum;  // version 1 had none
  Statement meta = database.prepare("SELECT name, value FROM meta");
  for (Cursor row = meta.rows(); row.next();) {
    const std::string_view name = row.bytes(0);
    if (name == "store_id") store_id_ = row.integer(1);
    if (name == "sum") sum = row.integer(1);
    if (name == "epoch") now_.epoch = row.integer(1);
    if (name == "commits") now_.commits = row.integer(1);
    if (name == "inbox_seq") now_.last_seq[0] = row.integer(1);
    if (name == "outbox_seq") now_.last_seq[1] = row.integer(1);
    if (name == "paused_inbox") now_.paused[0] = row.integer(1);
    if (name == "paused_outbox") now_.paused[1] = row.integer(1);
  }
  written_ = now_;
  sound_ = !sum || *sum == now_.sum();
}

std::int64_t Books::Numbers::sum() const {
  Sum sum;
  for (const QueueCounts& counts : totals) {
    for (const Tally& tally : kTallies) sum.add(counts.*tally.member);
    for (const auto* labelled : {&counts.dead, &counts.dropped}) {
      for (const auto& [label, value] : *labelled) {
        if (value != 0) sum.add(label).add(value);  // as they are read
      }
    }
  }
  for (const auto* pair : {&last_seq, &paused}) sum.add((*pair)[0]).add((*pair)[1]);
  return sum.add(epoch).add(commits).value();
}

void Books::write(bool synced) {
  if (synced) ++now_.commits;
  write_totals(0);
  write_totals(1);
  write_meta("inbox_seq", now_.last_seq[0], written_.last_seq[0]);
  write_meta("outbox_seq", now_.last_seq[1], written_.last_seq[1]);
  write_meta("paused_inbox", now_.paused[0], written_.paused[0]);
  write_meta("paused_outbox", now_.paused[1], written_.paused[1]);
  write_meta("epoch", now_.epoch, written_.epoch);
  write_meta("commits", now_.commits, written_.commits);
  put_meta_.run("sum", sound_ ? now_.sum() : ~now_.sum());
}

void Books::write_meta(std::string_view name, std::int64_t now, std::int64_t before) {
  if (now != before) put_meta_.run(name, now);
}

void Books::write_totals(std::size_t queue) {
  const QueueCounts& now = now_.totals[queue];
  const QueueCounts& before = written_.totals[queue];
  for (const Tally& tally : kTallies) {
    if (now.*tally.member != before.*tally.member) {
      put_total_.run(static_cast<std::int64_t>(queue), tally.name, now.*tally.member);
    }
  }
  write_labelled(queue, std::string(kDead), now.dead, before.dead);
  write_labelled(queue, std::string(kDropped), now.dropped, before.dropped);
}

void Books::write_labelled(std::size_t queue, const std::string& prefix,
                           const std::map<std::string, std::int64_t>& now,
                           const std::map<std::string, std::int64_t>& before) {
  for (const auto& [label, value] : now) {
    const auto found = before.find(label);
    if (found == before.end() || found->second != value) {
      put_total_.run(static_cast<std::int64_t>(queue), prefix + label, value);
    }
  }
  for (const auto& [label, value] : before) {
    if (!now.contains(label)) {
      put_total_.run(static_cast<std::int64_t>(queue), prefix + label, std::int64_t{0});
    }
  }
}

std::int64_t Books::imbalance(const QueueCounts& counts) {
  std::int64_t sum = counts.pending + counts.in_flight + counts.retrying + counts.held + counts.done;
  for (const auto& [reason, value] : counts.dead) sum += value;
  for (const auto& [by, value] : counts.dropped) sum += value;
  return counts.stored - sum;
}

}  // namespace tgkeep::store
