#include <boost/asio/awaitable.hpp>
#include <ranges>
#include <tgkeep/handler.hpp>

namespace tgkeep {

namespace {

Failure not_offered(std::string_view what) {
  return Failure(
      Error(Errc::misuse, "this handler runs without " + std::string(what) +
                              ": give its sink HandlerServices, or use Gateway or run(options, handler)"));
}

}  // namespace

Api& Turn::api() {
  throw not_offered("an API for direct calls");
}

void Turn::use(ApiTransformer) {
  throw not_offered("an API for direct calls");
}

asio::awaitable<Result<std::optional<std::string>>> Turn::read_state(std::string, std::string) {
  throw not_offered("a store for its state");
  co_return std::nullopt;
}

asio::awaitable<std::optional<std::string>> Context::state(std::string space, std::string key) const {
  const std::shared_ptr<Turn> turn = turn_;
  for (const StateWrite& write : turn->state | std::views::reverse) {
    if (write.space == space && write.key == key) co_return write.bytes;
  }
  Result<std::optional<std::string>> row = co_await turn->read_state(std::move(space), std::move(key));
  if (row.has_error()) throw Failure(row.error());
  co_return std::move(*row);
}

void Context::set_state(std::string space, std::string key, std::string bytes) const {
  turn_->state.emplace_back(std::move(space), std::move(key), std::move(bytes));
}

void Context::erase_state(std::string space, std::string key) const {
  turn_->state.emplace_back(std::move(space), std::move(key), std::nullopt);
}

}  // namespace tgkeep
