// What the two witnesses and the store say at the end, held against the promises.

#include <string>
#include <utility>

#include "prove/nature.hpp"
#include "prove/store_witness.hpp"
#include "prove/torment.hpp"

namespace tgkeep::prove {

namespace {

/// Crashes after which an update may be taken for their cause when it meets a third one alone. The witness
/// misses those that struck before the handler had begun.
constexpr std::int64_t kSeenCrashes = 2;

bool is_explained(Nature nature, const std::string& reason, std::int64_t crashes) {
  if (reason == "crashed") return nature == Nature::poison || crashes >= kSeenCrashes;
  if (reason == "attempts" || reason == "max_block") return nature == Nature::hopeless;
  return nature == Nature::refused && (reason == "refused" || reason == "status_410");
}

std::string count(std::int64_t number, std::string_view what) {
  return std::to_string(number) + " " + std::string(what);
}

}  // namespace

void Torment::judge() {
  const Result<StoreFigures> read = read_store(store_folder());
  if (!read) return promises_.broken(Promise::sums, read.error().text());
  const StoreFigures& store = *read;
  judge_dead_letters();
  const std::int64_t acknowledged = account_->deliveries.acknowledged();
  const std::int64_t delivered = account_->deliveries.delivered();
  const std::int64_t put = store.stored + store.duplicates;
  if (put < acknowledged)
    promises_.broken(Promise::no_loss_after_acknowledgement,
                     count(acknowledged, "deliveries were acknowledged, ") + count(put, "stored"));
  if (put > delivered)
    promises_.broken(Promise::stored_once, count(put, "were stored, only ") + count(delivered, "delivered"));
  if (store.stored != checker_.sent())
    promises_.broken(Promise::stored_once,
                     count(checker_.sent(), "updates were sent, ") + count(store.stored, "are stored"));
  if (checker_.lost() != 0)
    promises_.broken(Promise::at_least_once, count(checker_.lost(), "updates were lost"));
  for (const std::string& problem : checker_.problems()) promises_.broken(Promise::order_per_key, problem);
  if (checker_.calls_lost() != 0)
    promises_.broken(Promise::calls_kept, count(checker_.calls_lost(), "calls were lost"));
  if (checker_.calls_repeated() > store.in_doubt)
    promises_.broken(Promise::no_double_send, count(checker_.calls_repeated(), "calls came again, only ") +
                                                  count(store.in_doubt, "were in doubt"));
  strikes_.add(Nemesis::sent_again, store.duplicates);
}

void Torment::judge_dead_letters() {
  const auto letters = read_dead_letters(store_folder());
  if (!letters) return promises_.broken(Promise::sums, letters.error().text());
  for (const DeadLetter& letter : *letters) {
    const Nature nature = nature_of(options_.seed, letter.update_id, !options_.workload.push);
    const std::int64_t crashes = checker_.cut_off(letter.update_id);
    if (!is_explained(nature, letter.reason, crashes))
      promises_.broken(Promise::bounded_attempts,
                       "update " + std::to_string(letter.update_id.value()) +
                           " is a dead letter for no good reason: " + letter.reason + " after " +
                           count(crashes, "crashes seen: ") + letter.error);
    checker_.died(letter.update_id);
  }
}

}  // namespace tgkeep::prove
