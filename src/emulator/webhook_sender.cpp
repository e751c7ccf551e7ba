#include "emulator/webhook_sender.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "emulator/faults/broken_delivery.hpp"
#include "emulator/webhook_error.hpp"
#include "emulator/webhook_key.hpp"
#include "emulator/webhook_reply.hpp"

namespace tgkeep::emulator {

namespace asio = boost::asio;

namespace {

constexpr Duration idle_for = std::chrono::seconds(60);
constexpr Duration longest_sleep = std::chrono::hours(1);
constexpr Duration look_up_after = std::chrono::minutes(30);

// One client is one connection: what it keeps alive is what the server would keep.
std::unique_ptr<http::Client> one_connection(const asio::any_io_executor& loop,
                                             const WebhookSettings& settings) {
  http::ClientOptions options;
  options.max_connections = 1;
  options.max_connections_per_host = 1;
  options.ca_pem = settings.certificate;
  return std::make_unique<http::Client>(loop, std::move(options));
}

/// The same request from somebody who does not know the secret.
http::ClientRequest forgery_of(http::ClientRequest request, WebhookFault fault) {
  std::erase_if(request.headers,
                [](const auto& header) { return header.first == "X-Telegram-Bot-Api-Secret-Token"; });
  if (fault == WebhookFault::forged) {
    request.headers.emplace_back("X-Telegram-Bot-Api-Secret-Token", "wrong-secret");
  }
  return request;
}

bool is_kept_alive(const http::ClientResult& result) {
  if (!result) return false;
  return std::ranges::none_of(result->headers, [](const auto& header) {
    return telegram::same_ignoring_case(header.first, "Connection") &&
           telegram::same_ignoring_case(header.second, "close");
  });
}

}  // namespace

struct WebhookSender::Connection {
  Connection(std::int64_t number, std::int64_t generation, std::unique_ptr<http::Client> client)
      : number(number), generation(generation), client(std::move(client)) {}
  std::int64_t number;
  std::int64_t generation;  ///< of the address it was opened to
  std::unique_ptr<http::Client> client;
  std::optional<MonoTime> idle_since;
};

WebhookSender::WebhookSender(const asio::any_io_executor& loop, BotAccount& account,
                             WebhookSenderOptions options, Log log)
    : loop_(loop),
      account_(account),
      clock_(account.clock),
      settings_(account.webhook.settings.value()),
      random_(options.seed),
      options_(std::move(options)),
      schedule_(static_cast<std::size_t>(settings_.max_connections), options_.seed),
      ramp_(static_cast<std::size_t>(settings_.max_connections)),
      changed_(loop),
      tasks_(loop, std::move(log)) {
  tasks_.spawn("webhook", run());
  boost::system::error_code is_name;
  static_cast<void>(asio::ip::make_address(settings_.url.host, is_name));
  if (is_name && settings_.fixed_address.empty()) tasks_.spawn("webhook_address", look_up_again());
}

WebhookSender::~WebhookSender() = default;

asio::awaitable<void> WebhookSender::close() {
  // Whoever asked may hang up; the connections must be joined all the same.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  closed_ = true;
  changed_.notify();
  tasks_.cancel();
  co_await tasks_.join();
}

asio::awaitable<void> WebhookSender::run() {
  while (!closed_) {
    const MonoTime now = clock_.mono();
    load();
    close_idle(now);
    send_due(now);
    const MonoTime until = next_wake(now);
    co_await changed_.wait_until(clock_, until);
  }
}

void WebhookSender::move_to(std::string address) {
  if (address == settings_.address) return;
  settings_.address = address;
  if (account_.webhook.settings) account_.webhook.settings->address = std::move(address);
  ++generation_;
}

asio::awaitable<void> WebhookSender::look_up_again() {
  asio::ip::tcp::resolver resolver(loop_);
  const std::string port = std::to_string(settings_.url.port);
  constexpr auto tuple = asio::as_tuple(asio::use_awaitable);
  for (;;) {
    const Duration more = std::chrono::milliseconds(random_() % 180'000);
    co_await loop::sleep_for(clock_, look_up_after + more);
    const auto [error, found] = co_await resolver.async_resolve(settings_.url.host, port, tuple);
    if (!error && !found.empty()) move_to(found.begin()->endpoint().address().to_string());
  }
}

void WebhookSender::load() {
  const MonoTime now = clock_.mono();
  const WallTime wall = clock_.wall();
  UpdateQueue& queue = account_.queue;
  if (last_loaded_ >= queue.tail()) last_loaded_ = 0;
  while (schedule_.has_room()) {
    const QueuedUpdate* const update = queue.next_after(last_loaded_);
    if (update == nullptr) return;
    last_loaded_ = update->id;
    if (schedule_.is_loaded(update->id)) continue;
    if (update->expires < wall) {
      queue.remove(update->id);
    } else {
      const std::int64_t key = webhook_key(update->kind, update->text, update->id);
      schedule_.load(update->id, key, update->expires, now);
    }
  }
}

void WebhookSender::close_idle(MonoTime now) {
  std::erase_if(connections_, [now](const Connection& connection) {
    return connection.idle_since && now - *connection.idle_since >= idle_for;
  });
}

void WebhookSender::send_due(MonoTime now) {
  std::optional<MonoTime> due = schedule_.next_due();
  while (due && *due <= now) {
    Place connection = longest_idle();
    if (connection == connections_.end()) {
      if (!ramp_.may_open(schedule_.keys(), connections_.size(), now)) return;
      connection = connect(now);
    }
    const DueUpdate update = *schedule_.start(now);
    send(connection, update);
    due = schedule_.next_due();
  }
}

WebhookSender::Place WebhookSender::longest_idle() {
  Place oldest = connections_.end();
  for (Place place = connections_.begin(); place != connections_.end(); ++place) {
    if (!place->idle_since) continue;
    if (oldest == connections_.end() || *place->idle_since < *oldest->idle_since) oldest = place;
  }
  return oldest;
}

WebhookSender::Place WebhookSender::connect(MonoTime now) {
  ramp_.opened(now);
  return connections_.emplace(connections_.end(), ++opened_, generation_, one_connection(loop_, settings_));
}

MonoTime WebhookSender::next_wake(MonoTime now) {
  MonoTime next = now + longest_sleep;
  for (const Connection& connection : connections_) {
    if (connection.idle_since) next = std::min(next, *connection.idle_since + idle_for);
  }
  const std::optional<MonoTime> due = schedule_.next_due();
  if (!due) return next;
  if (*due > now) return std::min(next, *due);
  const std::optional<MonoTime> chance = ramp_.next_chance(schedule_.keys(), connections_.size(), now);
  return chance ? std::min(next, *chance) : next;
}

void WebhookSender::send(Place connection, const DueUpdate& due) {
  const QueuedUpdate* const update = account_.queue.find(due.id);
  if (update == nullptr) {  // the queue was emptied when its ids ended
    connection->idle_since = clock_.mono();
    schedule_.delivered(due.key);
    return;
  }
  connection->idle_since.reset();
  WebhookRecord& record = note(due, *update, connection->number);
  WebhookFault fault = WebhookFault::none;
  if (options_.faults) fault = options_.faults(record);
  http::ClientRequest request = request_for(*update);
  if (fault == WebhookFault::twice) {
    tasks_.spawn("webhook_duplicate", exchange_extra(note_extra(due, *update), request));
  }
  if (fault == WebhookFault::forged || fault == WebhookFault::forged_without_one) {
    WebhookRecord& extra = note_extra(due, *update);
    tasks_.spawn("webhook_forgery", exchange_extra(extra, forgery_of(request, fault)));
  }
  tasks_.spawn("webhook_request", exchange(connection, due, record, fault, std::move(request)));
}

WebhookRecord& WebhookSender::note_extra(const DueUpdate& due, const QueuedUpdate& update) {
  WebhookRecord& extra = note(due, update, ++opened_);
  extra.extra = true;
  return extra;
}

WebhookRecord& WebhookSender::note(const DueUpdate& due, const QueuedUpdate& update,
                                   std::int64_t connection) {
  WebhookRecord& record = account_.webhook.log.emplace_back();
  record.update = UpdateId(due.id);
  record.kind = update.kind;
  record.key = due.key;
  record.failures = due.failures;
  record.connection = connection;
  record.sent = clock_.mono();
  account_.deliveries.sent();
  return record;
}

http::ClientRequest WebhookSender::request_for(const QueuedUpdate& update) const {
  http::ClientRequest request("POST", settings_.url.text);
  if (!settings_.secret.empty()) {
    request.headers.emplace_back("X-Telegram-Bot-Api-Secret-Token", settings_.secret);
  }
  request.headers.emplace_back("Content-Type", "application/json");
  request.headers.emplace_back("Connection", "keep-alive");
  request.headers.emplace_back("Accept-Encoding", "gzip, deflate");
  request.body = update.text;
  request.timeout = options_.deadline;
  request.connect_timeout = options_.deadline;
  return request;
}

asio::awaitable<void> WebhookSender::exchange(Place connection, DueUpdate due, WebhookRecord& record,
                                              WebhookFault fault, http::ClientRequest request) {
  http::ClientResult result;
  if (breaks_connection(fault)) {
    result = co_await break_delivery(clock_, options_.deadline, fault, settings_.url, std::move(request));
  } else {
    result = co_await connection->client->send(std::move(request));
  }
  if (closed_) co_return;
  if (fault == WebhookFault::lost_answer) {
    result = http::ClientError(http::ClientError::Kind::maybe_sent, "Read timeout expired");
  }
  judge(record, result);
  if (is_accepted(result)) {
    succeeded(due, fault == WebhookFault::again, *result);
  } else {
    failed(due, result);
  }
  let_go(connection, result);
  changed_.notify();
}

asio::awaitable<void> WebhookSender::exchange_extra(WebhookRecord& record, http::ClientRequest request) {
  const std::unique_ptr<http::Client> client = one_connection(loop_, settings_);
  http::ClientResult result = co_await client->send(std::move(request));
  if (!closed_) judge(record, result);
}

void WebhookSender::judge(WebhookRecord& record, const http::ClientResult& result) {
  record.ended = true;
  if (result) record.status = result->status;
  record.error = webhook_error(result);
  if (is_accepted(result)) account_.deliveries.accepted();
}

void WebhookSender::succeeded(const DueUpdate& due, bool again, const http::ClientResponse& response) {
  const MonoTime now = clock_.mono();
  ramp_.succeeded(now);
  gone_.answered(response.status, now);
  std::optional<Route> reply = read_webhook_reply(response);
  if (reply && options_.perform) options_.perform(*std::move(reply));
  schedule_.delivered(due.key);
  const bool stays = again || account_.queue.confirm(due.id);
  const QueuedUpdate* const update = account_.queue.find(due.id);
  if (stays && update != nullptr) schedule_.load(due.id, due.key, update->expires, now);
}

void WebhookSender::failed(const DueUpdate& due, const http::ClientResult& result) {
  const MonoTime now = clock_.mono();
  account_.webhook.error_date = clock_.wall();
  account_.webhook.error_message = webhook_error(result);
  if (result) gone_.answered(result->status, now);
  if (gone_.is_gone(now)) {
    account_.webhook.settings.reset();
    closed_ = true;
    return;
  }
  const bool dropped = schedule_.failed(due.key, now, clock_.wall(), retry_after_of(result));
  if (dropped) account_.queue.remove(due.id);
}

void WebhookSender::let_go(Place connection, const http::ClientResult& result) {
  if (is_kept_alive(result) && connection->generation == generation_) {
    connection->idle_since = clock_.mono();
  } else {
    connections_.erase(connection);
  }
}

}  // namespace tgkeep::emulator
