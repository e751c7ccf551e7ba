#pragma once
// SQLite store, runner and push sink on a thread of their own.

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <tgkeep/runner.hpp>
#include <tgkeep/store.hpp>
#include <thread>
#include <vector>

#include "clients/story.hpp"
#include "http/client.hpp"
#include "http/server.hpp"
#include "loop/real_clock.hpp"
#include "sink/push_sink.hpp"

namespace tgkeep::test {

/// Hands on, and tells the story of what did not arrive and of what is done.
class ToldSink final : public Sink {
 public:
  ToldSink(Sink& to, Story& story) : to_(to), story_(story) {}
  asio::awaitable<Outcome> deliver(std::shared_ptr<const Delivery> delivery) override;

 private:
  Sink& to_;
  Story& story_;
};

/// All from the test's thread.
class Pipeline {
 public:
  /// Opens a store in `folder`, with a line per log event in `log`. Serves settle URLs if `push` accepts 202.
  Pipeline(const std::string& folder, const std::string& log, sink::PushOptions push, RunnerOptions runner,
           Story& story);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void put(std::vector<Update> updates);
  void start();
  /// Lets what runs end, stops, and returns what the store then counts, having compared it with its rows
  /// (P8).
  StoreCounts stop();
  /// The status of a push that does not come from us: this secret, or none.
  int status_for(const std::string& url, const std::string& secret);

 private:
  template <class T>
  T on_loop(asio::awaitable<T> work);
  asio::awaitable<bool> begin();
  asio::awaitable<std::size_t> end();
  asio::awaitable<bool> stop_settling();
  /// Nothing when 202 is not accepted; else also writes the settle URL into `push`.
  std::unique_ptr<http::Server> listen(sink::PushOptions& push);

  asio::io_context io_{1};
  loop::RealClock clock_{io_.get_executor()};
  Log log_;
  http::Client client_{io_.get_executor()};
  std::unique_ptr<Store> store_;
  std::unique_ptr<http::Server> settling_;
  std::unique_ptr<sink::PushSink> push_;
  ToldSink told_;
  std::unique_ptr<Runner> runner_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  std::thread thread_;
};

}  // namespace tgkeep::test
