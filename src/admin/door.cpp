#include "admin/door.hpp"

#include <algorithm>

#include "admin/gate.hpp"
#include "http/server.hpp"

namespace tgkeep::admin {

namespace {

constexpr std::size_t kShortestToken = 16;
// Of people and Prometheus, not of bots.
constexpr std::size_t kConnections = 200;
constexpr std::size_t kHeader = 16U << 10;

Result<void> check(const DoorAddress& address) {
  const bool one_word = std::all_of(address.token.begin(), address.token.end(),
                                    [](char letter) { return letter > ' ' && letter < 0x7F; });
  if (address.token.size() >= kShortestToken && one_word) return Result<void>();
  return Error(Errc::bad_config, "the admin interface on " + address.address +
                                     " needs a token of 16 characters or more, letters and digits: make one "
                                     "with `openssl rand -hex 32`");
}

}  // namespace

class Door::Guard {
 public:
  Guard(Desk& desk, Clock& clock, DoorOptions options, Log log)
      : desk(desk), clock(clock), options(std::move(options)), log(std::move(log)) {}

  asio::awaitable<http::ServerReply> let_in(http::ServerRequest request) {
    return desk.answer(std::move(request));
  }

  Result<void> open_unix(const asio::any_io_executor& loop) {
    http::ServerOptions server = common();
    server.unix_path = options.unix_path;
    auto opened = http::listen(
        loop, std::move(server), [this](http::ServerRequest request) { return let_in(std::move(request)); },
        log);
    if (opened.has_error()) return opened.error();
    unix_side = std::move(*opened);
    log.info("admin_listening", {{"socket", options.unix_path}});
    return Result<void>();
  }

  Result<void> open_tcp(const asio::any_io_executor& loop) {
    const Result<void> good = check(*options.tcp);
    if (good.has_error()) return good;
    gate = std::make_unique<Gate>(desk, clock, *options.tcp, log);
    http::ServerOptions server = common();
    server.address = options.tcp->address;
    server.port = options.tcp->port;
    auto opened = http::listen(
        loop, std::move(server),
        [this](http::ServerRequest request) { return gate->answer(std::move(request)); }, log);
    if (opened.has_error()) return opened.error();
    tcp_side = std::move(*opened);
    log.info("admin_listening", {{"address", options.tcp->address}, {"port", tcp_side->port()}});
    return Result<void>();
  }

  static http::ServerOptions common() {
    http::ServerOptions server;
    server.max_connections = kConnections;
    server.max_header = kHeader;
    return server;
  }

  Desk& desk;
  Clock& clock;
  DoorOptions options;
  Log log;
  std::unique_ptr<Gate> gate;
  std::unique_ptr<http::Server> unix_side;
  std::unique_ptr<http::Server> tcp_side;
};

Door::Door(Desk& desk, Clock& clock, DoorOptions options, Log log)
    : guard_(std::make_unique<Guard>(desk, clock, std::move(options), std::move(log))) {}

Door::~Door() = default;

Result<void> Door::open(const asio::any_io_executor& loop) {
  if (!guard_->options.unix_path.empty()) {
    const Result<void> opened = guard_->open_unix(loop);
    if (opened.has_error()) return opened;
  }
  if (!guard_->options.tcp) return Result<void>();
  Result<void> opened = guard_->open_tcp(loop);
  if (opened.has_error()) guard_->unix_side.reset();
  return opened;
}

std::uint16_t Door::port() const {
  return guard_->tcp_side ? guard_->tcp_side->port() : 0;
}

asio::awaitable<void> Door::stop(Duration drain) {
  if (guard_->unix_side) co_await guard_->unix_side->stop(drain);
  if (guard_->tcp_side) co_await guard_->tcp_side->stop(drain);
  guard_->unix_side.reset();
  guard_->tcp_side.reset();
}

}  // namespace tgkeep::admin
