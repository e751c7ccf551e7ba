// The life of an update: its runs, their failed attempts and the calls they left.
#include <algorithm>
#include <map>
#include <set>

#include "store/item_view.hpp"
#include "store/sqlite/browse_find.hpp"
#include "store/sqlite/browse_handouts.hpp"
#include "store/sqlite/item_source.hpp"

namespace tgkeep::store {

namespace {

/// More runs than anybody asks for.
constexpr std::size_t kAll = 100'000;

class Tracer {
 public:
  Tracer(ReadView& view, UpdateId id)
      : view_(view), id_(id), of_update_("r.update_id=" + std::to_string(id.value())) {}

  std::vector<ItemTrace> trace() {
    look_in_store();
    view_.each_day([this](Database& file, const DayFileEntry& day) { look_in_day(file, day.path); });
    add_live_calls(view_.database(), view_.path());  // of runs that only a day file knows
    std::vector<ItemTrace> traces;
    for (auto& [seq, run] : runs_) {
      for (auto& [place, call] : calls_[seq]) run.calls.push_back(std::move(call));
      run.handouts = handouts_of(view_.database(), seq);
      traces.push_back(std::move(run));
    }
    return traces;
  }

 private:
  void look_in_store() {
    Database& database = view_.database();
    const std::string path = view_.path();
    const ReadTransaction snapshot(database);
    follow(database, path);
    ItemSource dead = ItemSource::dead(database, path, Queue::inbox);
    dead.only(of_update_);
    add_runs(dead);
    ItemSource dead_calls = ItemSource::dead(database, path, Queue::outbox);
    dead_calls.only(of_update_);
    add_calls(dead_calls);
    add_live_calls(database, path);
  }

  // From what was seen last to the run before it, and so on: the table is not searched for update_ids. What
  // is remembered no longer may still wait, in a very old backlog.
  void follow(Database& database, const std::string& path) {
    Statement seen = database.prepare("SELECT seq FROM seen WHERE bot=? AND update_id=?");
    bool known = false;
    for (const BotId bot : bots_of(database, path)) {
      Cursor row = seen.rows(bot.value(), id_.value());
      for (Seq seq = row.next() ? Seq(row.integer(0)) : Seq(); seq != Seq();) {
        known = true;
        std::optional<Seq> before;
        for (ItemSource one : {ItemSource::live(database, path, Queue::inbox),
                               ItemSource::dead(database, path, Queue::inbox)}) {
          one.only("r.seq=" + std::to_string(seq.value()));
          if (!before) before = add_runs(one);
        }
        chain_.insert(seq);
        seq = before && *before < seq ? *before : Seq();
      }
    }
    if (known) return;
    ItemSource live = ItemSource::live(database, path, Queue::inbox);
    live.only(of_update_);
    add_runs(live);
  }

  void look_in_day(Database& day, const std::string& path) {
    ItemSource items = ItemSource::day(day, path, Queue::inbox);
    items.only(of_update_);
    add_runs(items);
    ItemSource calls = ItemSource::day(day, path, Queue::outbox);
    calls.only(of_update_);
    add_calls(calls);
  }

  /// The run before the last one added, if any was found.
  std::optional<Seq> add_runs(const ItemSource& source) {
    std::optional<Seq> earlier;
    for (StoredItem& item : source.search(view_, ItemFilter(Queue::inbox), Seq(), kAll, false)) {
      earlier = item.earlier;
      const auto [place, fresh] = runs_.try_emplace(item.seq);
      if (!fresh) continue;
      place->second.failures = failures_of(source.database(), item.seq);
      place->second.item = std::move(item);
    }
    return earlier;
  }

  void add_calls(const ItemSource& source) {
    for (StoredItem& call : source.search(view_, ItemFilter(Queue::outbox), Seq(), kAll, false)) {
      const auto place = std::pair(call.call, call.seq);
      calls_[call.origin].try_emplace(place, std::move(call));
    }
  }

  void add_live_calls(Database& database, const std::string& path) {
    std::string origins;
    for (const auto& [seq, run] : runs_) chain_.insert(seq);
    for (const Seq seq : chain_) origins += (origins.empty() ? "" : ",") + std::to_string(seq.value());
    if (origins.empty()) return;
    ItemSource calls = ItemSource::live(database, path, Queue::outbox);
    calls.only("r.origin IN (" + origins + ")");
    add_calls(calls);
  }

  static std::vector<FailedAttempt> failures_of(Database& database, Seq seq) {
    std::vector<FailedAttempt> failures;
    Statement rows =
        database.prepare("SELECT attempt, at, error FROM failure WHERE queue=0 AND seq=? ORDER BY attempt");
    for (Cursor row = rows.rows(seq.value()); row.next();) {
      FailedAttempt& failed = failures.emplace_back();
      failed.attempt = static_cast<std::uint32_t>(row.integer(0));
      failed.at = from_millis(row.integer(1));
      failed.error = row.bytes(2);
    }
    return failures;
  }

  ReadView& view_;
  UpdateId id_;
  std::string of_update_;
  std::set<Seq> chain_;
  std::map<Seq, ItemTrace> runs_;
  std::map<Seq, std::map<std::pair<std::uint32_t, Seq>, StoredItem>> calls_;
};

}  // namespace

std::vector<ItemTrace> trace_update(ReadView& view, UpdateId id) {
  return Tracer(view, id).trace();
}

}  // namespace tgkeep::store
