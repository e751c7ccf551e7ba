#include "admin/chosen_items.hpp"

#include "admin/item_filter.hpp"
#include "admin/picture.hpp"

namespace tgkeep::admin {

namespace {

constexpr std::size_t kMostSeqs = 10'000;
constexpr std::size_t kPage = 1000;

}  // namespace

ItemChoice read_choice(Params& params) {
  ItemChoice choice;
  choice.queue = params.queue("queue").value_or(Queue::inbox);
  choice.all = params.flag("all");
  const bool named = params.has("seqs");
  for (const std::int64_t seq : params.numbers("seqs", kMostSeqs)) choice.seqs.emplace_back(seq);
  choice.filter = ItemFilter(choice.queue);
  choice.filter.states = {ItemState::dead, ItemState::held};
  read_filter(params, choice.filter);
  if (choice.all == named) {
    params.refuse(
        "say which: \"seqs\": [17] for some, or \"all\": true for all that match reason, kind, key, ids and "
        "times");
  }
  return choice;
}

asio::awaitable<Result<std::vector<Seq>>> chosen_seqs(Office& office, BotId bot, ItemChoice choice) {
  if (!choice.all) co_return std::move(choice.seqs);
  std::vector<Seq> found;
  Seq after;
  for (;;) {
    StoreBrowser* const browser = browser_with(office.premises, bot);
    if (browser == nullptr) co_return Error(Errc::not_found, "the bot was removed by a reload meanwhile");
    ItemFilter filter = choice.filter;
    const Result<ItemPage> page = co_await browser->find(std::move(filter), after, kPage, false, false);
    if (page.has_error()) co_return page.error();
    for (const StoredItem& item : page->items) found.push_back(item.seq);
    if (!page->next) co_return found;
    after = *page->next;
  }
}

}  // namespace tgkeep::admin
