#include <array>
#include <tgkeep/store_browser.hpp>
#include <utility>

namespace tgkeep {

namespace {

constexpr std::array kNames{
    std::pair(ItemState::pending, std::string_view("pending")),
    std::pair(ItemState::in_flight, std::string_view("in_flight")),
    std::pair(ItemState::retrying, std::string_view("retrying")),
    std::pair(ItemState::held, std::string_view("held")),
    std::pair(ItemState::dead, std::string_view("dead")),
    std::pair(ItemState::done, std::string_view("done")),
};

Error cannot(const char* what) {
  return Error(Errc::misuse, std::string("this kind of store can't ") + what + "; the SQLite store can");
}

}  // namespace

std::string_view to_string(ItemState state) noexcept {
  for (const auto& [known, name] : kNames) {
    if (known == state) return name;
  }
  return "unknown";
}

std::optional<ItemState> item_state(std::string_view name) noexcept {
  for (const auto& [state, known] : kNames) {
    if (known == name) return state;
  }
  return std::nullopt;
}

asio::awaitable<Result<ItemPage>> StoreBrowser::find(ItemFilter, Seq, std::size_t, bool, bool) {
  co_return cannot("be searched");
}
asio::awaitable<Result<StoredItem>> StoreBrowser::item(Queue, Seq) {
  co_return cannot("show an item");
}
asio::awaitable<Result<std::vector<ItemTrace>>> StoreBrowser::trace(UpdateId) {
  co_return cannot("trace an update");
}
asio::awaitable<Result<std::vector<bool>>> StoreBrowser::drop(Queue, std::vector<Seq>, std::string) {
  co_return cannot("drop items");
}
asio::awaitable<Result<std::vector<Replayed>>> StoreBrowser::replay(std::vector<Seq>, bool) {
  co_return cannot("replay updates");
}
asio::awaitable<Result<bool>> StoreBrowser::paused(Queue) {
  co_return false;
}
asio::awaitable<Result<void>> StoreBrowser::set_paused(Queue, bool) {
  co_return cannot("remember a pause");
}
asio::awaitable<Result<Erased>> StoreBrowser::erase(EraseRequest) {
  co_return cannot("erase items");
}
asio::awaitable<Result<BackupReport>> StoreBrowser::backup(std::string, Progress) {
  co_return cannot("be backed up");
}

}  // namespace tgkeep
