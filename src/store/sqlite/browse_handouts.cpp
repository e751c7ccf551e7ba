#include "store/sqlite/browse_handouts.hpp"

#include <algorithm>
#include <string>

#include "store/handout_order.hpp"
#include "store/sqlite/handout_table.hpp"
#include "store/sqlite/sum.hpp"

namespace tgkeep::store {

namespace {

constexpr const char* kDead = "EXISTS (SELECT 1 FROM dead d WHERE d.queue=0 AND d.seq=h.seq)";
constexpr int kTellEvery = 1000;

/// Columns: id, seq, at, sum.
std::optional<Handout> read_handout(const Cursor& row) {
  if (sum_of(row.integer(0), row.integer(1), row.integer(2)) != row.integer(3)) return std::nullopt;
  return Handout(PullId(row.integer(0)), Seq(row.integer(1)), from_millis(row.integer(2)));
}

/// A handout of an item that may be done.
class Candidate {
 public:
  Candidate(Handout handout, bool done) : handout(handout), done(done) {}
  Handout handout;
  bool done;  ///< marked so in inbox.db; else it may lie in a day file
};

std::vector<Candidate> candidates(ReadView& view, WallTime from) {
  Database& database = view.database();
  const ReadTransaction snapshot(database);
  std::vector<Candidate> found;
  Statement rows = database.prepare("SELECT id, seq, at, sum, " + std::string(kMarkedDone) +
                                    " FROM handout h WHERE at>=? AND NOT " + kDead + " AND (NOT " + kLive +
                                    " OR " + kMarkedDone + ") ORDER BY id");
  int count = 0;
  for (Cursor row = rows.rows(to_millis(from)); row.next();) {
    if (++count % kTellEvery == 0) view.go_on();
    if (const auto handout = read_handout(row)) found.emplace_back(*handout, row.integer(4) != 0);
  }
  return found;
}

}  // namespace

std::vector<Handout> open_handouts(ReadView& view) {
  Database& database = view.database();
  const ReadTransaction snapshot(database);
  std::vector<Handout> open;
  Statement rows = database.prepare(
      "SELECT id, seq, at, sum FROM handout h WHERE " + std::string(kLive) + " AND NOT " + kMarkedDone +
      " AND NOT EXISTS (SELECT 1 FROM handout l WHERE l.seq=h.seq AND l.id>h.id) ORDER BY id");
  int count = 0;
  for (Cursor row = rows.rows(); row.next();) {
    if (++count % kTellEvery == 0) view.go_on();
    if (const auto handout = read_handout(row)) open.push_back(*handout);
  }
  return open;
}

// inbox.db first: what the archiver moves in the meantime was marked there.
std::vector<Handout> done_handouts(ReadView& view, WallTime from, std::size_t limit) {
  std::vector<Candidate> found = candidates(view, from);
  view.each_day([&](Database& file, const DayFileEntry& day) {
    if (day.day.end() <= from) return;  // all of it had ended before
    Statement item = file.prepare("SELECT 1 FROM item WHERE queue=0 AND seq=?");
    for (Candidate& candidate : found) {
      if (!candidate.done) candidate.done = item.rows(candidate.handout.seq.value()).next();
    }
  });
  std::vector<Handout> done;
  for (auto candidate = found.rbegin(); candidate != found.rend() && done.size() < limit; ++candidate) {
    if (candidate->done) done.push_back(candidate->handout);
  }
  std::ranges::reverse(done);
  return done;
}

std::optional<Handout> find_handout(Database& database, PullId id) {
  Statement find = database.prepare("SELECT id, seq, at, sum FROM handout WHERE id=?");
  Cursor row = find.rows(id.value());
  if (!row.next()) return std::nullopt;
  return read_handout(row);
}

std::optional<Handout> find_seen_as(Database& database, std::int64_t update_id) {
  const PullId last(database.integer("SELECT max(id) FROM handout"));
  return find_handout(database, last_shown_as(update_id, last));
}

std::vector<Handout> handouts_of(Database& database, Seq seq) {
  std::vector<Handout> all;
  Statement find = database.prepare("SELECT id, seq, at, sum FROM handout WHERE seq=? ORDER BY id");
  for (Cursor row = find.rows(seq.value()); row.next();) {
    if (const auto handout = read_handout(row)) all.push_back(*handout);
  }
  return all;
}

}  // namespace tgkeep::store
