#include "admin/events.hpp"

#include <boost/json/serialize.hpp>

#include "admin/rates.hpp"
#include "rooms/admin/desk_scene.hpp"

namespace tgkeep::admin {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

class AdminEvents : public AdminDesk {
 protected:
  http::ServerReply opened() {
    http::ServerReply reply = get("/api/events");
    EXPECT_EQ(reply.content_type, "text/event-stream");
    return reply;
  }
  /// The next piece, in virtual time.
  std::string next(const http::ReplyStream& stream) {
    std::string piece;
    asio::co_spawn(io, stream(),
                   [&piece](const std::exception_ptr&, std::string given) { piece = std::move(given); });
    loop::run_for(io, premises.time, 1s);
    return piece;
  }
  static std::vector<json::value> events(const std::string& piece, const std::string& name) {
    std::vector<json::value> found;
    std::string_view rest = piece;
    while (!rest.empty()) {
      const std::size_t end = rest.find("\n\n");
      EXPECT_NE(end, std::string_view::npos) << piece;
      const std::string head = "event: " + name + "\ndata: ";
      const std::string_view one = rest.substr(0, end);
      if (one.starts_with(head)) found.push_back(json::parse(one.substr(head.size())));
      rest.remove_prefix(end + 2);
    }
    return found;
  }
};

TEST_F(AdminEvents, give_status_at_once_and_every_second_with_rates) {
  FakeBot& bot = add_shop();
  bot.receiving.emplace();
  bot.inbox.emplace();
  bot.outbox.emplace();
  const http::ServerReply reply = opened();
  std::string piece;
  asio::co_spawn(io, reply.stream(),
                 [&piece](const std::exception_ptr&, std::string given) { piece = std::move(given); });
  io.restart();
  io.poll();
  ASSERT_EQ(events(piece, "status").size(), 1U);
  EXPECT_EQ(events(piece, "status")[0].at("bots").at(0).at("rates").at("received_per_s").as_double(), 0);
  bot.receiving->received = 20;
  bot.receiving->puts.add(2ms);
  bot.inbox->done = 10;
  bot.inbox->retried = 3;
  bot.inbox->dead = 1;
  bot.outbox->done = 5;
  for (int i = 0; i < 100; ++i) bot.inbox->handling.add(30ms);
  const std::vector<json::value> second = events(next(reply.stream), "status");
  ASSERT_EQ(second.size(), 1U);
  const json::value& rates = second[0].at("bots").at(0).at("rates");
  EXPECT_DOUBLE_EQ(rates.at("received_per_s").as_double(), 20);
  EXPECT_DOUBLE_EQ(rates.at("done_per_s").as_double(), 10);
  EXPECT_DOUBLE_EQ(rates.at("failed_per_s").as_double(), 4);
  EXPECT_DOUBLE_EQ(rates.at("calls_per_s").as_double(), 5);
  EXPECT_NEAR(rates.at("handling_p50_s").as_double(), 0.0375, 1e-9);
  EXPECT_GT(rates.at("handling_p99_s").as_double(), 0.049);
  EXPECT_GT(rates.at("put_p99_s").as_double(), 0.001);
  const json::value third = events(next(reply.stream), "status").at(0);
  EXPECT_TRUE(third.at("bots").at(0).at("rates").at("handling_p50_s").is_null());
}

TEST_F(AdminEvents, tell_of_what_came_and_of_what_changed) {
  add_shop();
  browser.add(1, ItemState::pending, 101);
  const http::ServerReply reply = opened();
  EXPECT_TRUE(events(next(reply.stream), "update").empty());
  browser.items[0].state = ItemState::done;
  browser.items[0].ended = from_millis(5000);
  browser.add(2, ItemState::pending, 102).received = from_millis(6000);
  browser.add(9, ItemState::dead, 101, Queue::outbox).ended = from_millis(4000);
  const std::vector<json::value> updates = events(next(reply.stream), "update");
  ASSERT_EQ(updates.size(), 3U);
  EXPECT_EQ(
      json::serialize(updates[0]),
      R"({"bot":1,"queue":"outbox","seq":9,"update_id":101,"kind":"message","key":"chat:1","state":"dead","at":4000})");
  EXPECT_EQ(updates[1].at("state").as_string(), "done");
  EXPECT_EQ(updates[2].at("seq").as_int64(), 2);
  EXPECT_TRUE(events(next(reply.stream), "update").empty());
}

TEST_F(AdminEvents, tell_of_the_newest_fifty_only) {
  add_shop();
  const http::ServerReply reply = opened();
  next(reply.stream);
  for (int i = 1; i <= 300; ++i) browser.add(i, ItemState::pending, i);
  const std::vector<json::value> updates = events(next(reply.stream), "update");
  ASSERT_EQ(updates.size(), 50U);
  EXPECT_EQ(updates.front().at("seq").as_int64(), 251);
  EXPECT_EQ(updates.back().at("seq").as_int64(), 300);
}

TEST_F(AdminEvents, do_not_take_old_items_that_come_into_view_for_news) {
  add_shop();
  for (int i = 1; i <= 200; ++i) browser.add(i, ItemState::done, i);
  const http::ServerReply reply = opened();
  next(reply.stream);
  browser.items.resize(150);
  EXPECT_TRUE(events(next(reply.stream), "update").empty());
}

TEST_F(AdminEvents, go_on_without_a_store_that_can_be_searched_and_when_bots_come_and_go) {
  premises.add(1).searchable = false;
  const http::ServerReply reply = opened();
  next(reply.stream);
  premises.owned.clear();
  EXPECT_EQ(events(next(reply.stream), "status").size(), 1U);
  add_shop();
  EXPECT_EQ(events(next(reply.stream), "status").size(), 1U);
}

TEST_F(AdminEvents, are_for_a_bounded_number_of_watchers) {
  std::vector<http::ServerReply> watching;
  for (int i = 0; i < 20; ++i) watching.push_back(opened());
  EXPECT_EQ(get("/api/events").status, 429);
  watching.pop_back();
  EXPECT_EQ(get("/api/events").status, 200);
}

TEST(Quantile, is_estimated_inside_its_bucket) {
  const LatencyHistogram none;
  EXPECT_TRUE(quantile_since(none, none, 0.5).is_null());
  LatencyHistogram slow;
  slow.add(std::chrono::hours(1));
  EXPECT_DOUBLE_EQ(quantile_since(none, slow, 0.5).as_double(), 600);
  LatencyHistogram both = slow;
  both.add(500us);
  EXPECT_DOUBLE_EQ(quantile_since(slow, both, 0.5).as_double(), 0.0005);
}

}  // namespace
}  // namespace tgkeep::admin
