#include "admin/reading.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <charconv>
#include <limits>

#include "admin/item_filter.hpp"
#include "admin/item_json.hpp"
#include "admin/picture.hpp"
#include "admin/refusal.hpp"
#include "admin/status_json.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

constexpr std::int64_t kMostItems = 1000;
constexpr std::int64_t kMostLanes = 200;

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Queue> queue_of(std::string_view text) {
  if (text == "inbox") return Queue::inbox;
  if (text == "outbox") return Queue::outbox;
  return std::nullopt;
}

// The key among an item's that is the lane's.
std::string key_of(const StoredItem& item, KeyHash lane) {
  for (const std::string& key : item.keys) {
    if (OrderingKey(item.bot, key).hash() == lane) return key;
  }
  return {};
}

/// Of the item that was handed out as this, or why there is none.
asio::awaitable<Result<UpdateId>> id_of_seen(StoreBrowser& browser, std::int64_t seen_as) {
  const Result<std::optional<Handout>> handout = co_await browser.seen_as(seen_as);
  if (handout.has_error()) co_return handout.error();
  if (!*handout) {
    co_return Error(Errc::not_found, "no update was handed out as " + std::to_string(seen_as) +
                                         ", or so long ago that it is not known any more");
  }
  const Seq seq = (*handout)->seq;
  const Result<StoredItem> item = co_await browser.item(Queue::inbox, seq);
  if (item.has_error()) co_return item.error();
  co_return item->update_id;
}

// What shows a lane's key at the cost of one row each. An item that has just ended leaves it unknown.
asio::awaitable<json::array> lanes_json(Office& office, BotId id, std::vector<BusyLane> lanes) {
  json::array shown;
  for (const BusyLane& lane : lanes) {
    std::string key;
    StoreBrowser* const browser = browser_with(office.premises, id);
    if (browser != nullptr) {
      const Result<StoredItem> head = co_await browser->item(Queue::inbox, lane.head);
      if (head.has_value()) key = key_of(*head, lane.key);
    }
    shown.push_back(lane_json(lane, key));
  }
  co_return shown;
}

}  // namespace

asio::awaitable<http::ServerReply> show_status(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  const Picture picture = co_await take_picture(office.premises);
  co_return json_reply(status_json(picture, office.options.version));
}

asio::awaitable<http::ServerReply> show_items(Office& office, Inquiry inquiry) {
  Params& params = inquiry.params;
  ItemFilter filter(params.queue("queue").value_or(Queue::inbox));
  filter.states = params.states("state");
  read_filter(params, filter);
  const std::int64_t after = params.number("after", 0, std::numeric_limits<std::int64_t>::max()).value_or(0);
  const std::int64_t limit = params.number("limit", 1, kMostItems).value_or(100);
  const bool newest = params.flag("newest");
  const bool bodies = params.flag("bodies");
  if (const auto wrong = params.wrong()) co_return wrong_request(*wrong);
  StoreBrowser* const browser = browser_with(office.premises, inquiry.bot);
  if (browser == nullptr) co_return not_searchable();
  const Result<ItemPage> page =
      co_await browser->find(std::move(filter), Seq(after), static_cast<std::size_t>(limit), newest, bodies);
  if (page.has_error()) co_return refuse(page.error());
  co_return json_reply(page_json(*page, bodies));
}

asio::awaitable<http::ServerReply> show_item(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  const auto queue = queue_of(inquiry.places.at(0));
  const auto seq = number_of(inquiry.places.at(1));
  if (!queue || !seq) {
    co_return wrong_request("an item is named by its queue, inbox or outbox, and its seq, a whole number");
  }
  StoreBrowser* const browser = browser_with(office.premises, inquiry.bot);
  if (browser == nullptr) co_return not_searchable();
  const Result<StoredItem> item = co_await browser->item(*queue, Seq(*seq));
  if (item.has_error()) co_return refuse(item.error());
  co_return json_reply(item_json(*item, true));
}

asio::awaitable<http::ServerReply> show_trace(Office& office, Inquiry inquiry) {
  const bool seen = inquiry.params.flag("seen");
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  auto id = number_of(inquiry.places.at(0));
  if (!id) co_return wrong_request("an update_id is a whole number");
  StoreBrowser* const browser = browser_with(office.premises, inquiry.bot);
  if (browser == nullptr) co_return not_searchable();
  if (seen) {
    const Result<UpdateId> found = co_await id_of_seen(*browser, *id);
    if (found.has_error()) co_return refuse(found.error());
    id = found->value();
  }
  const Result<std::vector<ItemTrace>> runs = co_await browser->trace(UpdateId(*id));
  if (runs.has_error()) co_return refuse(runs.error());
  if (runs->empty()) {
    co_return refuse(
        404, "not_found",
        "update " + std::to_string(*id) +
            " is not known (any more): it never came, or was done longer ago than history is kept");
  }
  co_return json_reply(trace_json(UpdateId(*id), *runs));
}

asio::awaitable<http::ServerReply> show_lanes(Office& office, Inquiry inquiry) {
  const std::int64_t limit = inquiry.params.number("limit", 1, kMostLanes).value_or(20);
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (!office.premises.live()) {
    co_return refuse(
        409, "misuse",
        "lanes are those of a running process, and none runs here; what waits: items?state=pending");
  }
  const OperatedBot* const bot = bot_with(office.premises, inquiry.bot);
  const std::vector<InFlight> flights = bot->in_flight(Queue::inbox);
  std::vector<BusyLane> lanes = bot->busy_lanes(static_cast<std::size_t>(limit));
  json::array in_flight;
  for (const InFlight& flight : flights) in_flight.push_back(flight_json(flight));
  json::array shown = co_await lanes_json(office, inquiry.bot, std::move(lanes));
  json::object answer;
  answer["lanes"] = std::move(shown);
  answer["in_flight"] = std::move(in_flight);
  co_return json_reply(answer);
}

asio::awaitable<http::ServerReply> show_audit(Office& office, Inquiry inquiry) {
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  StoreBrowser* const browser = browser_with(office.premises, inquiry.bot);
  if (browser == nullptr) co_return not_searchable();
  const Result<void> audit = co_await browser->audit();
  // A store that can't be read is another thing than one whose numbers differ.
  const bool differs = audit.has_error() && audit.error().code() == Errc::corrupt;
  if (audit.has_error() && !differs) co_return refuse(audit.error());
  json::object answer;
  answer["balanced"] = !differs;
  answer["difference"] = differs ? as_text(audit.error().text()) : "";
  co_return json_reply(answer);
}

}  // namespace tgkeep::admin
