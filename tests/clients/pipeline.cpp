#include "clients/pipeline.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <tgkeep/sqlite_store.hpp>
#include <tgkeep/store_browser.hpp>

namespace tgkeep::test {

namespace {

using namespace std::chrono_literals;

/// Dropped at the end of the last Log that writes to it.
Log log_to(const std::string& path) {
  const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "a"), &std::fclose);
  if (!file) throw std::runtime_error("can't write " + path);
  return Log([file](LogLevel level, std::string_view event, std::span<const LogField> fields) {
    std::string line = std::string(to_string(level)) + " " + std::string(event);
    for (const LogField& field : fields) line += " " + std::string(field.name()) + "=" + field.value();
    std::fprintf(file.get(), "%s\n", line.c_str());
    std::fflush(file.get());
  });
}

}  // namespace

asio::awaitable<Outcome> ToldSink::deliver(std::shared_ptr<const Delivery> delivery) {
  Outcome outcome = co_await to_.deliver(delivery);
  if (outcome.target == Outcome::Target::unreachable) story_.add(Event(Event::Kind::refused));
  if (outcome.kind == Outcome::Kind::done) story_.add(Event(Event::Kind::done));
  co_return outcome;
}

Pipeline::Pipeline(const std::string& folder, const std::string& log, sink::PushOptions push,
                   RunnerOptions runner, Story& story)
    : log_(log_to(log)),
      store_(
          store::open_sqlite_store(io_.get_executor(), clock_, store::SqliteOptions(folder), log_).value()),
      settling_(listen(push)),
      push_(sink::make_push_sink(clock_, client_, std::move(push), log_)),
      told_(*push_, story),
      runner_(make_runner(io_.get_executor(), clock_, *store_, Queue::inbox, told_, runner, log_)) {
  thread_ = std::thread([this] { io_.run(); });
}

std::unique_ptr<http::Server> Pipeline::listen(sink::PushOptions& push) {
  if (!push.accept_202) return nullptr;
  const auto settle = [this](http::ServerRequest request) { return push_->settle(std::move(request)); };
  auto server = http::listen(io_.get_executor(), http::ServerOptions(), settle, log_).value();
  push.settle_url = "http://127.0.0.1:" + std::to_string(server->port()) + "/settle/";
  return server;
}

Pipeline::~Pipeline() {
  on_loop(end());
  if (settling_) on_loop(stop_settling());
  work_.reset();
  thread_.join();
}

template <class T>
T Pipeline::on_loop(asio::awaitable<T> work) {
  return asio::co_spawn(io_, std::move(work), asio::use_future).get();
}

void Pipeline::put(std::vector<Update> updates) {
  on_loop(store_->put(std::move(updates))).value();
}

void Pipeline::start() {
  on_loop(begin());
}

asio::awaitable<bool> Pipeline::begin() {
  runner_->start();
  co_return true;
}

asio::awaitable<std::size_t> Pipeline::end() {
  const StopReport report = co_await runner_->stop(10s);
  co_return report.cut_off;
}

asio::awaitable<bool> Pipeline::stop_settling() {
  co_await settling_->stop(1s);
  co_return true;
}

StoreCounts Pipeline::stop() {
  if (on_loop(end()) != 0) throw std::runtime_error("something was still running");
  on_loop(store_->browser()->audit()).value();
  return on_loop(store_->counts()).value();
}

int Pipeline::status_for(const std::string& url, const std::string& secret) {
  http::ClientRequest request("POST", url);
  request.headers.emplace_back("Content-Type", "application/json");
  if (!secret.empty()) request.headers.emplace_back("X-Telegram-Bot-Api-Secret-Token", secret);
  request.body = R"({"update_id":1})";
  const http::ClientResult answer = on_loop(client_.send(std::move(request)));
  if (!answer) throw std::runtime_error(answer.error().text);
  return answer->status;
}

}  // namespace tgkeep::test
