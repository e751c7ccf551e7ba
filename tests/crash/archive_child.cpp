// A store that is to be killed while it archives: `archive_child FOLDER ROUNDS` puts, begins and settles 60
// updates a round, each with a call, then archives. It says what it is about to do.

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <tgkeep/sqlite_store.hpp>

#include "loop/real_clock.hpp"
#include "store/sqlite/archive_now.hpp"
#include "support/run.hpp"

namespace {

using namespace tgkeep;

void say(const char* what, std::int64_t number) {
  std::printf("%s %lld\n", what, static_cast<long long>(number));
  std::fflush(stdout);
}

std::vector<Settlement> all_done(Queue queue, const std::vector<Item>& items) {
  std::vector<Settlement> settlements;
  for (const Item& item : items) {
    Settlement& done = settlements.emplace_back(queue, item.seq, Settlement::Kind::done);
    if (queue == Queue::inbox) done.calls.emplace_back("sendMessage", R"({"chat_id":1})");
  }
  return settlements;
}

std::vector<Seq> waiting(asio::io_context& io, Store& store, Queue queue) {
  std::vector<Seq> seqs;
  const StoreCounts counts = test::run(io, store.counts()).value();
  const QueueCounts& of_queue = queue == Queue::inbox ? counts.inbox : counts.outbox;
  if (of_queue.pending + of_queue.retrying == 0) return seqs;
  for (const Head& head : test::run(io, store.lease(LeaseRequest(queue, Seq(), 1000))).value())
    seqs.push_back(head.seq);
  return seqs;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  asio::io_context io;
  loop::RealClock clock(io.get_executor());
  auto opened = store::open_sqlite_store(io.get_executor(), clock, store::SqliteOptions(argv[1]), Log());
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().text().c_str());
    return 1;
  }
  const std::unique_ptr<Store> store = std::move(opened.value());
  std::int64_t id = test::run(io, store->counts()).value().inbox.stored;
  for (int round = 0; round < std::atoi(argv[2]); ++round) {
    std::vector<Update> updates;
    for (int i = 0; i < 60; ++i) {
      Update& update = updates.emplace_back();
      update.bot = BotId(42);
      update.id = UpdateId(++id);
      update.kind = "message";
      update.keys.emplace_back(update.bot, "chat:" + std::to_string(i));
      update.received = clock.wall();
      update.raw = R"({"update_id":)" + std::to_string(id) + "}";
    }
    say("puts", round);
    test::run(io, store->put(std::move(updates))).value();
    for (const Queue queue : {Queue::inbox, Queue::outbox}) {
      say("begins", round);
      const auto items = test::run(io, store->begin(queue, waiting(io, *store, queue), Mark::shared)).value();
      say("settles", round);
      test::run(io, store->settle(all_done(queue, items))).value();
    }
    say("archives", round);
    store::archive_now(*store);
  }
  say("over", 0);
}
