#include "app/rooms.hpp"

#include "sink/api_sink.hpp"
#include "source/long_poll.hpp"
#include "store/memory/memory_store.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "telegram/api_client.hpp"

namespace tgkeep::app {

namespace {

telegram::Token read_token(const GatewayOptions& options) {
  if (options.token.empty()) {
    throw Failure(Error(Errc::bad_config, "no bot token: put the one from @BotFather into TGKEEP_TOKEN"));
  }
  return telegram::Token::parse(options.token).value();
}

std::unique_ptr<Api> make_api(http::Client& client, const GatewayOptions& options) {
  telegram::ApiClientOptions client_options(read_token(options));
  client_options.root = options.api_root;
  client_options.test_environment = options.test_environment;
  return telegram::make_api_client(client, client_options);
}

std::unique_ptr<Store> open_store(const boost::asio::any_io_executor& loop, Clock& clock,
                                  const GatewayOptions& options) {
  if (options.in_memory) return store::make_memory_store(loop, clock);
  store::SqliteOptions sqlite(options.folder);
  sqlite.reserve = options.reserve;
  return store::open_sqlite_store(loop, clock, sqlite, options.log).value();
}

source::LongPollOptions poll_options(BotId bot, const GatewayOptions& options) {
  source::LongPollOptions poll(bot);
  poll.timeout = options.poll_timeout;
  poll.allowed_updates = options.allowed_updates;
  poll.drop_pending = options.drop_pending;
  return poll;
}

}  // namespace

Rooms::Rooms(const boost::asio::any_io_executor& loop, const GatewayOptions& options, Handler handler)
    : clock_(loop),
      bot_(read_token(options).bot(options.test_environment)),
      client_(loop),
      api_(make_api(client_, options)),
      store_(open_store(loop, clock_, options)),
      pool_(std::make_unique<sink::HandlerPool>(options.handler_threads)),
      handler_sink_(sink::make_handler_sink(loop, *pool_, std::move(handler), options.log)),
      api_sink_(sink::make_api_sink(
          [api = api_.get(), bot = bot_](BotId of) { return of == bot ? api : nullptr; }, options.log)),
      inbox_(make_runner(loop, clock_, *store_, Queue::inbox, *handler_sink_, options.inbox, options.log)),
      outbox_(make_runner(loop, clock_, *store_, Queue::outbox, *api_sink_, options.outbox, options.log)),
      source_(source::make_long_poll(clock_, *api_, *store_, poll_options(bot_, options), options.log)) {}

}  // namespace tgkeep::app
