#include "store/sqlite/browse_replay.hpp"

#include <algorithm>

#include "store/sqlite/row_cursor.hpp"
#include "store/sqlite/schema.hpp"

namespace tgkeep::store {

namespace {

void read(Statement& row, ReplayCandidate& candidate) {
  Cursor cursor = row.rows(candidate.seq.value());
  if (!cursor.next()) return;
  candidate.row = read_row(cursor, candidate.seq, 0).row;
  candidate.last_run = std::max(candidate.last_run, candidate.row->run);
}

}  // namespace

std::vector<ReplayCandidate> replay_candidates(ReadView& view, const std::vector<Seq>& seqs) {
  std::vector<ReplayCandidate> candidates(seqs.size());
  const std::string row(kRowColumns);
  {
    Database& database = view.database();
    const ReadTransaction snapshot(database);
    Statement finished = database.prepare("SELECT " + row +
                                          " FROM inbox r WHERE r.seq=? AND EXISTS (SELECT 1 FROM done d "
                                          "WHERE d.queue=0 AND d.seq=r.seq)");
    for (std::size_t i = 0; i < seqs.size(); ++i) {
      candidates[i].seq = seqs[i];
      read(finished, candidates[i]);
    }
  }
  view.each_day([&](Database& file, const DayFileEntry&) {
    Statement finished = file.prepare("SELECT " + row + " FROM item WHERE queue=0 AND seq=?");
    for (ReplayCandidate& candidate : candidates) {
      if (!candidate.row) read(finished, candidate);
    }
  });
  view.each_day([&](Database& file, const DayFileEntry&) {
    Statement last = file.prepare("SELECT max(run) FROM item WHERE queue=0 AND update_id=? AND bot=?");
    for (ReplayCandidate& candidate : candidates) {
      if (!candidate.row) continue;
      Cursor cursor = last.rows(candidate.row->update_id.value(), candidate.row->bot.value());
      if (cursor.next())
        candidate.last_run = std::max(candidate.last_run, static_cast<std::uint32_t>(cursor.integer(0)));
    }
  });
  return candidates;
}

}  // namespace tgkeep::store
