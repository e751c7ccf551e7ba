#include "face/wishes.hpp"

#include <algorithm>
#include <tgkeep/store_browser.hpp>
#include <utility>

namespace tgkeep::face {

namespace {

constexpr std::int64_t kPage = 1000;

/// The last item of the inbox that is not settled with `kept` such items behind it; 0: there is none.
asio::awaitable<Result<Seq>> last_before(StoreBrowser& browser, std::int64_t kept) {
  Seq behind;
  std::int64_t left = kept;
  while (true) {
    ItemFilter filter(Queue::inbox);
    filter.states = {ItemState::pending, ItemState::in_flight, ItemState::retrying};
    const std::int64_t wanted = std::min(left, kPage - 1) + 1;
    const auto limit = static_cast<std::size_t>(wanted);
    Result<ItemPage> page = co_await browser.find(std::move(filter), behind, limit, true, false);
    if (!page) co_return page.error();
    if (page->items.size() < limit) co_return Seq();
    behind = page->items.back().seq;
    if (wanted > left) co_return behind;
    left -= wanted;
  }
}

}  // namespace

Wishes::Wishes(Clock& clock, Store& store, BotSink& sink, OwnSettings& settings,
               std::optional<Kinds> configured, Allow allow, Log log)
    : clock_(clock),
      store_(store),
      sink_(sink),
      settings_(settings),
      configured_(std::move(configured)),
      allow_(std::move(allow)),
      log_(std::move(log)) {
  if (settings_.dropped) sink_.remember(*settings_.dropped);
  tell();
}

void Wishes::tell() const {
  if (allow_ && settings_.kinds) allow_(joined_kinds(configured_, *settings_.kinds));
}

Kinds Wishes::kinds() const {
  if (settings_.kinds) return *settings_.kinds;
  return configured_.value_or(Kinds());
}

void Wishes::allow(std::string_view text) {
  std::optional<Kinds> asked = read_kinds(text);
  if (!asked || asked == settings_.kinds) return;
  settings_.kinds = std::move(asked);
  const Result<void> saved = settings_.save();
  if (!saved) log_.error("kinds_not_remembered", {{"error", saved.error().text()}});
  tell();
}

asio::awaitable<Result<void>> Wishes::drop_pending(std::int64_t kept) {
  StoreBrowser* const browser = store_.browser();
  if (browser == nullptr) {
    co_return Error(Errc::misuse, "this store can't be searched, so that nothing can be dropped");
  }
  // What comes in while the store is searched is not meant.
  const WallTime now = clock_.wall();
  const Result<Seq> last = co_await last_before(*browser, kept);
  if (!last) co_return last.error();
  if (*last == Seq()) co_return Result<void>();
  const DropMark mark(*last, now);
  settings_.dropped = mark;
  const Result<void> saved = settings_.save();
  if (!saved) log_.error("drop_not_remembered", {{"error", saved.error().text()}});
  sink_.drop(mark);
  log_.warning("pending_dropped",
               {{"up_to", mark.last.value()}, {"remedy", "tgkeep dead retry brings them back"}});
  co_return Result<void>();
}

}  // namespace tgkeep::face
