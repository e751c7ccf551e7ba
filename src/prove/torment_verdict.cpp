// What the two witnesses and the store say at the end, held against the promises.

#include <string>
#include <utility>

#include "prove/nature.hpp"
#include "prove/store_witness.hpp"
#include "prove/torment.hpp"

namespace tgkeep::prove {

namespace {

/// Crashes after which an update may be taken for their cause.
constexpr std::uint32_t kSuspicious = 3;
// Two that make it a suspect, three while it was alone.
constexpr std::int64_t kFaceSuspicious = 5;

// Of a bot behind a face its own deaths count. Of what it says Telegram hears only that it is done or not.
bool is_explained_by_face(Nature nature, const StoredItem& letter, std::int64_t deaths) {
  const std::string& reason = letter.reason;
  if (reason == "crashed") return nature == Nature::poison || deaths >= kFaceSuspicious;
  // How often one has stumbled is forgotten with the bot.
  const bool stumbles = nature == Nature::stumbles && deaths >= 2;
  const bool fails = nature == Nature::hopeless || nature == Nature::refused || stumbles;
  if (reason == "attempts" || reason == "max_block") return fails;
  return nature == Nature::refused && reason == "refused";
}

bool is_explained(Nature nature, const StoredItem& letter, std::int64_t deaths) {
  const std::string& reason = letter.reason;
  // An innocent one that was in flight whenever the process died, and at last alone: by contract (P7).
  if (reason == "crashed")
    return nature == Nature::poison || (letter.crashes >= kSuspicious && letter.crashes <= deaths);
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
  strikes_.add(Nemesis::sent_again, store.duplicates);
  if (has_face()) return judge_face_calls();
  if (checker_.calls_lost() != 0)
    promises_.broken(Promise::calls_kept, count(checker_.calls_lost(), "calls were lost"));
  if (checker_.calls_repeated() > store.in_doubt)
    promises_.broken(Promise::no_double_send, count(checker_.calls_repeated(), "calls came again, only ") +
                                                  count(store.in_doubt, "were in doubt"));
}

void Torment::judge_dead_letters() {
  const auto letters = read_dead_letters(store_folder());
  if (!letters) return promises_.broken(Promise::sums, letters.error().text());
  for (const StoredItem& letter : *letters) {
    const Nature nature = nature_of(options_.seed, letter.update_id, options_.workload.has_poison());
    const auto before = deaths_before_.find(letter.update_id.value());
    const std::int64_t deaths = before == deaths_before_.end() ? 0 : deaths_ - before->second;
    const bool explained =
        has_face() ? is_explained_by_face(nature, letter, deaths) : is_explained(nature, letter, deaths);
    if (!explained)
      promises_.broken(Promise::bounded_attempts,
                       "update " + std::to_string(letter.update_id.value()) +
                           " is a dead letter for no good reason: " + letter.reason + " after " +
                           count(letter.crashes, "crashes, of ") + count(deaths, "deaths of the bot: ") +
                           letter.error);
    checker_.died(letter.update_id);
  }
}

}  // namespace tgkeep::prove
