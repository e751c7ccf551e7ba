#include "emulator/emulator.hpp"

#include <utility>

#include "emulator/route.hpp"

namespace tgkeep::emulator {

namespace asio = boost::asio;

Result<std::unique_ptr<Emulator>> Emulator::start(const asio::any_io_executor& loop, EmulatorOptions options,
                                                  Log log) {
  for (std::size_t i = 0; i < options.tokens.size(); ++i) {
    if (!refuse_token(options.tokens[i])) continue;
    return Error(Errc::bad_config, "bot " + std::to_string(i + 1) + ": a token looks like 4242:letters");
  }
  if (options.tokens.empty()) options.server.any_bot = true;
  std::unique_ptr<Emulator> self(new Emulator(loop, options.pace));
  auto listening = BotServer::listen(loop, self->clock_, std::move(log), options.server);
  if (!listening) return listening.error();
  self->server_ = *std::move(listening);
  for (const std::string& token : options.tokens) self->server_->add_bot(token, options.seed);
  self->control_ = std::make_unique<Control>(loop, *self->server_, self->clock_);
  self->server_->set_control([control = self->control_.get()](http::ServerRequest request) {
    return control->handle(std::move(request));
  });
  return self;
}

asio::awaitable<void> Emulator::stop(Duration drain) {
  co_await server_->stop(drain);
}

}  // namespace tgkeep::emulator
