#pragma once
// `tgkeep list`, `tgkeep show` and `tgkeep trace`.

#include <cstdint>
#include <vector>

#include "app/ask/reach.hpp"
#include "app/ask/session.hpp"
#include "app/commands/command.hpp"
#include "app/commands/find_options.hpp"

namespace tgkeep::app {

class FindCommands final : public Command {
 public:
  explicit FindCommands(CLI::App& app);
  std::optional<int> run() override;

 private:
  int trace();

  ReachOptions options_;
  FindOptions find_;
  std::int64_t limit_ = 50;
  std::int64_t after_ = 0;
  bool oldest_ = false;
  std::vector<std::int64_t> seqs_;
  std::int64_t update_id_ = 0;
  std::int64_t seen_as_ = 0;
  CLI::App& list_;
  CLI::App& show_;
  CLI::App& trace_;
};

/// Prints items that match, at most `limit` after `after` (0: from the first, or the last); with `bodies`
/// whole, else a line each. Exit 4 when there are none.
int print_items(Session& session, const FindOptions& find, std::int64_t limit, std::int64_t after,
                bool newest, bool bodies);

/// Prints the items with these numbers. Exit 4, and says which, when some are not there.
int print_items(Session& session, const std::string& queue, const std::vector<std::int64_t>& seqs);

}  // namespace tgkeep::app
