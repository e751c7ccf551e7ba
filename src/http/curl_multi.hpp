#pragma once
// libcurl's multi handle driven by the event loop: it names the sockets and the timer it waits for, we wait.

#include <curl/curl.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "http/client.hpp"
#include "http/curl_transfer.hpp"

namespace tgkeep::http {

class Client::Multi {
 public:
  Multi(const asio::any_io_executor& loop, ClientOptions options);
  ~Multi();
  Multi(const Multi&) = delete;
  Multi& operator=(const Multi&) = delete;

  const asio::any_io_executor& loop() const noexcept { return loop_; }
  const ClientOptions& options() const noexcept { return options_; }

  /// A handle to start a transfer with; used ones are kept, for they are costly to make.
  Easy lend();
  void give_back(Easy easy);

  void limit_connections(long in_all, long per_host) noexcept;
  void add(Transfer& transfer);
  /// Takes a transfer out, ended or not.
  void remove(Transfer& transfer);

 private:
  class Watch;
  class MultiEnd {
   public:
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };

  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept;
  static int on_timer(CURLM*, long millis, void* self) noexcept;
  void act(curl_socket_t socket, int events);

  asio::any_io_executor loop_;
  ClientOptions options_;
  std::unique_ptr<CURLM, MultiEnd> multi_;
  std::vector<Easy> idle_;
  std::unordered_set<CURL*> running_;
  std::unordered_map<curl_socket_t, std::shared_ptr<Watch>> watches_;
  asio::steady_timer timer_;
  std::shared_ptr<int> alive_ = std::make_shared<int>();  ///< the timer's last call may come after the end
};

}  // namespace tgkeep::http
