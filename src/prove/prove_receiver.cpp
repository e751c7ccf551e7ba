// The receiver of pushed updates.

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <boost/asio/io_context.hpp>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

#include "http/server.hpp"
#include "loop/event.hpp"
#include "loop/real_clock.hpp"
#include "prove/echo_text.hpp"
#include "prove/handler_log.hpp"
#include "prove/nature.hpp"
#include "prove/tormented_bot.hpp"
#include "prove/witness.hpp"

namespace tgkeep::prove {

namespace asio = boost::asio;

namespace {

std::string header(const http::ServerRequest& request, std::string_view name) {
  const std::string* const found = http::find_header(request.headers, name);
  return found == nullptr ? std::string() : *found;
}

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

UpdateId update_in(std::string_view body) {
  constexpr std::string_view kName = "\"update_id\":";
  const std::size_t place = body.find(kName);
  if (place == std::string_view::npos) return UpdateId();
  return UpdateId(number(std::string(body.substr(place + kName.size(), 20))));
}

class Receiver {
 public:
  Receiver(Clock& clock, std::shared_ptr<const Witness> witness, std::uint64_t seed)
      : clock_(clock), witness_(std::move(witness)), seed_(seed) {}

  asio::awaitable<http::ServerReply> serve(http::ServerRequest request) {
    const UpdateId update = update_in(request.body);
    const std::string key = header(request, "Tgkeep-Ordering-Key");
    const std::int64_t epoch = number(header(request, "Tgkeep-Epoch"));
    const auto attempt = static_cast<std::uint32_t>(number(header(request, "Tgkeep-Attempt")));
    const bool repeated = number(header(request, "Tgkeep-Repeated")) != 0;
    witness_->write(start_line(update, key, attempt, repeated, epoch));
    const Nature nature = nature_of(seed_, update, false);
    const Duration takes = working_time(seed_, update, nature);
    // Cancelled when the bot hangs up, which it does when it ends: nobody will know how this would have
    // ended.
    co_await loop::sleep_for(clock_, takes);
    http::ServerReply reply(422, "{}");
    if (fails(nature, attempt)) {
      witness_->write(fail_line(update, key, epoch));
      co_return reply;
    }
    if (nature == Nature::refused) {
      witness_->write(fail_line(update, key, epoch));
      reply.status = 410;
      co_return reply;
    }
    witness_->write(end_line(update, key, epoch));
    const std::string chat = key.substr(key.rfind(':') + 1);
    reply.status = 200;
    reply.body =
        "{\"method\":\"sendMessage\",\"chat_id\":" + chat + ",\"text\":\"" + echo_text(update) + "\"}";
    co_return reply;
  }

 private:
  Clock& clock_;
  std::shared_ptr<const Witness> witness_;
  std::uint64_t seed_;
};

}  // namespace

int run_prove_receiver(const ProveReceiverOptions& options) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  asio::io_context io(1);
  loop::RealClock clock(io.get_executor());
  http::ServerOptions serving;
  serving.port = options.port;
  std::unique_ptr<Receiver> receiver;
  const http::ServerHandler handler = [&receiver](http::ServerRequest request) {
    return receiver->serve(std::move(request));
  };
  auto server = http::listen(io.get_executor(), serving, handler, Log());
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().text().c_str());
    return 1;
  }
  const auto witness = Witness::open(options.handler_log);
  if (!witness) {
    std::fprintf(stderr, "%s\n", witness.error().text().c_str());
    return 1;
  }
  receiver = std::make_unique<Receiver>(clock, *witness, options.seed);
  io.run();
  return 0;
}

}  // namespace tgkeep::prove
