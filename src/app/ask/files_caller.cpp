#include "app/ask/files_caller.hpp"

#include <boost/asio/io_context.hpp>
#include <tgkeep/gateway.hpp>
#include <utility>

#include "admin/desk.hpp"
#include "app/ask/turn_loop.hpp"
#include "loop/real_clock.hpp"
#include "loop/run_to_end.hpp"
#include "telegram/concerns.hpp"

namespace tgkeep::app {

namespace {

namespace asio = boost::asio;

class FilesCaller final : public Caller {
 public:
  FilesCaller() = default;
  ~FilesCaller() override {
    if (desk_) loop::run_to_end(io_, desk_->close());
  }

  Result<void> open(std::vector<StoredFacts> bots, Access access) {
    const Log log = stderr_log(LogLevel::warning);
    auto opened = loop::run_to_end(io_, open_files(io_.get_executor(), clock_, std::move(bots), access, log));
    if (opened.has_error()) return opened.error();
    premises_ = std::move(*opened);
    admin::DeskOptions options;
    options.version = TGKEEP_VERSION;
    options.concerns = telegram::concerns;
    options.log = log;
    desk_ = std::make_unique<admin::Desk>(*premises_, std::move(options));
    return Result<void>();
  }

  Result<AdminReply> ask(AdminRequest request) override {
    http::ServerRequest asked;
    asked.method = request.method;
    asked.target = request.target;
    asked.body = request.body;
    if (request.method == "POST") asked.headers.emplace_back("Content-Type", "application/json");
    http::ServerReply reply = turn_until(io_, desk_->answer(std::move(asked)), request.meanwhile);
    return AdminReply(reply.status, std::move(reply.body));
  }

  void pass(Duration time) override { turn_for(io_, time); }

 private:
  asio::io_context io_{1};
  loop::RealClock clock_{io_.get_executor()};
  std::unique_ptr<admin::Premises> premises_;
  std::unique_ptr<admin::Desk> desk_;
};

}  // namespace

Result<std::unique_ptr<Caller>> files_caller(std::vector<StoredFacts> bots, Access access) {
  auto caller = std::make_unique<FilesCaller>();
  const Result<void> opened = caller->open(std::move(bots), access);
  if (opened.has_error()) return opened.error();
  return std::unique_ptr<Caller>(std::move(caller));
}

}  // namespace tgkeep::app
