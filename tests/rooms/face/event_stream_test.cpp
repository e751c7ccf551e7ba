#include "face/event_stream.hpp"

#include <gtest/gtest.h>

#include "face_room.hpp"

namespace tgkeep::test {
namespace {

using std::chrono::seconds;

/// What a client reads, piece by piece.
class Reader {
 public:
  http::ReplyStream stream;
  asio::cancellation_signal cancel;
  std::optional<std::string> piece;
  bool failed = false;
};

class EventStreamTest : public FaceRoom {
 protected:
  void TearDown() override {
    for (Reader& reader : readers) reader.cancel.emit(asio::cancellation_type::terminal);
    pump();
    readers.clear();
    FaceRoom::TearDown();
  }
  Reader& connect(const std::string& query = "") {
    Asked& one = ask("/bot42:secret/tgkeep/updates" + query);
    EXPECT_EQ(one.reply->status, 200);
    EXPECT_EQ(one.reply->content_type, "text/event-stream");
    Reader& reader = readers.emplace_back();
    reader.stream = one.reply->stream;
    one.reply->stream = nullptr;
    EXPECT_EQ(read(reader), ": tgkeep\nretry: 1000\n\n");
    return reader;
  }
  /// Asks for the next piece, which may not be there yet.
  void ask_piece(Reader& reader) {
    reader.piece.reset();
    auto on_end = [&reader](const std::exception_ptr& failure, std::string piece) {
      reader.failed = failure != nullptr;
      reader.piece = std::move(piece);
    };
    asio::co_spawn(io, reader.stream(),
                   asio::bind_cancellation_slot(reader.cancel.slot(), std::move(on_end)));
    pump();
  }
  std::string read(Reader& reader) {
    ask_piece(reader);
    return reader.piece.value_or("(nothing yet)");
  }
  std::list<Reader> readers;
};

TEST_F(EventStreamTest, updates_are_events_with_their_number_and_json_in_one_line) {
  Reader& reader = connect();
  pull->give(7, "{\"update_id\":1,\n\"message\":{\"text\":\"a\\nb\"}}");
  pull->give(8);
  EXPECT_EQ(read(reader),
            "id: 7\ndata: {\"update_id\":7, \"message\":{\"text\":\"a\\nb\"}}\n\n"
            "id: 8\ndata: {\"update_id\":8,\"message\":{}}\n\n");
  EXPECT_TRUE(pull->requests.back().settles);
  EXPECT_EQ(pull->requests.back().offset, 0) << "a connection is a start of the bot";
  ask_piece(reader);
  EXPECT_EQ(pull->requests.back().offset, 9);
}

TEST_F(EventStreamTest, a_comment_comes_every_fifteen_seconds_when_nothing_else_does) {
  Reader& reader = connect();
  ask_piece(reader);
  advance(seconds(14));
  EXPECT_FALSE(reader.piece);
  advance(seconds(1));
  EXPECT_EQ(reader.piece, ": still here\n\n");
  ask_piece(reader);
  advance(seconds(7));
  pull->give(1);
  pump();
  EXPECT_TRUE(reader.piece->starts_with("id: 1\n"));
}

TEST_F(EventStreamTest, no_more_are_sent_than_the_limit_until_some_are_settled) {
  Reader& reader = connect("?limit=2");
  for (int id = 1; id <= 4; ++id) pull->give(id);
  EXPECT_EQ(
      read(reader),
      "id: 1\ndata: {\"update_id\":1,\"message\":{}}\n\nid: 2\ndata: {\"update_id\":2,\"message\":{}}\n\n");
  ask_piece(reader);
  EXPECT_FALSE(reader.piece);
  advance(seconds(15));
  EXPECT_EQ(reader.piece, ": still here\n\n") << "it lives although it waits for settlements";
  ask_piece(reader);
  ask("/bot42:secret/tgkeep/settle", R"({"update_id":2,"action":"done"})");
  EXPECT_EQ(reader.piece, "id: 3\ndata: {\"update_id\":3,\"message\":{}}\n\n");
}

TEST_F(EventStreamTest, a_limit_out_of_bounds_is_brought_into_them) {
  for (const auto& [query, wanted] : std::vector<std::pair<std::string, std::size_t>>{
           {"?limit=0", 1}, {"?limit=x", 1}, {"", 100}, {"?limit=37", 37}, {"?limit=999999", 100}}) {
    ask_piece(connect(query));
    EXPECT_EQ(pull->requests.back().limit, wanted) << query;
  }
}

TEST_F(EventStreamTest, a_newer_stream_ends_the_older_one) {
  Reader& older = connect("?limit=1");
  pull->give(1);
  read(older);
  ask_piece(older);
  Reader& newer = connect();
  pump();
  EXPECT_EQ(older.piece,
            "event: replaced\ndata: {\"description\":\"another stream or poller of this bot has come\"}\n\n");
  EXPECT_EQ(read(older), "") << "the end";
  ask_piece(newer);
  EXPECT_EQ(pull->requests.back().offset, 0);
}

TEST_F(EventStreamTest, a_poller_that_waits_ends_the_stream) {
  Reader& reader = connect("?limit=1");
  pull->give(1);
  read(reader);
  ask_piece(reader);
  ask("/bot42:secret/getUpdates?timeout=0");
  pump();
  EXPECT_FALSE(reader.piece);
  ask("/bot42:secret/getUpdates?timeout=10&offset=3");
  pump();
  EXPECT_TRUE(reader.piece->starts_with("event: replaced\n"));
}

TEST_F(EventStreamTest, a_stream_that_the_pull_sink_replaces_says_so) {
  Reader& reader = connect();
  ask_piece(reader);
  pull->end_with(sink::PullAnswer::End::replaced);
  pump();
  EXPECT_TRUE(reader.piece->starts_with("event: replaced\n"));
}

TEST_F(EventStreamTest, a_webhook_ends_it_and_keeps_it_shut) {
  Reader& waits = connect();
  ask_piece(waits);
  Asked& one = ask("/bot42:secret/setWebhook?url=http://127.0.0.1:9/");
  io.restart();
  while (!one.ended() && io.run_one() > 0) {
  }
  pump();
  EXPECT_EQ(waits.piece, "event: closed\ndata: {\"description\":\"a webhook was set\"}\n\n");
  EXPECT_EQ(ask("/bot42:secret/tgkeep/updates").reply->status, 409);
}

TEST_F(EventStreamTest, P9_it_ends_when_tgkeep_stops_also_while_it_waits_for_settlements) {
  Reader& reader = connect("?limit=1");
  pull->give(1);
  read(reader);
  ask_piece(reader);
  made->wind_down();
  pump();
  EXPECT_EQ(reader.piece, "event: closed\ndata: {\"description\":\"tgkeep stops\"}\n\n");
  EXPECT_EQ(ask("/bot42:secret/tgkeep/settle", R"({"update_id":1,"action":"done"})").reply->status, 200)
      << "what was sent can be settled";
}

TEST_F(EventStreamTest, a_store_that_can_not_note_numbers_makes_it_wait_not_end) {
  Reader& reader = connect();
  pull->end_with(sink::PullAnswer::End::failed);
  ask_piece(reader);
  EXPECT_FALSE(reader.piece);
  advance(seconds(15));
  EXPECT_EQ(reader.piece, ": still here\n\n");
}

TEST_F(EventStreamTest, only_a_get_opens_it) {
  EXPECT_EQ(ask("/bot42:secret/tgkeep/updates", "{}").reply->status, 405);
}

}  // namespace
}  // namespace tgkeep::test
