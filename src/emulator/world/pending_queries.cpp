#include "emulator/world/pending_queries.hpp"

namespace tgkeep::emulator {

std::string PendingQueries::add(PendingQuery query) {
  std::string id = std::to_string(++last_);
  query.content["id"] = json_text(id);
  queries_[id] = std::move(query);
  return id;
}

PendingQuery* PendingQueries::find(std::int64_t bot, std::string_view kind, std::string_view id,
                                   WallTime now) {
  const auto found = queries_.find(id);
  if (found == queries_.end()) return nullptr;
  PendingQuery& query = found->second;
  return query.bot == bot && query.kind == kind && now <= query.until ? &query : nullptr;
}

void PendingQueries::erase(std::string_view id) {
  const auto found = queries_.find(id);
  if (found != queries_.end()) queries_.erase(found);
}

}  // namespace tgkeep::emulator
