// The pieces of code in docs/reliability.md that no example has, whole: house_snippets compares the two.

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <tgkeep/handler.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace guide {

bool shop_is_closed() {
  return false;
}
bool is_nonsense(std::string_view raw) {
  return raw.empty();
}

asio::awaitable<tgkeep::Outcome> sell(tgkeep::Context update) {
  if (is_nonsense(update.raw())) co_return tgkeep::Outcome::dead("nonsense", "no order can be read from it");
  if (shop_is_closed()) co_return tgkeep::Outcome::retry_after(10min, "the shop is closed");
  update.leave("sendMessage", R"({"chat_id":7,"text":"Sold."})");
  co_return tgkeep::Outcome::done();
}

}  // namespace guide
