#pragma once
// One request inside libcurl: its options, what came back, and the verdict whether it may have arrived.

#include <curl/curl.h>

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>

#include "http/body_pull.hpp"
#include "http/client.hpp"
#include "http/request_place.hpp"

namespace tgkeep::http {

class EasyEnd {
 public:
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, EasyEnd>;

class HeaderListEnd {
 public:
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, HeaderListEnd>;

/// Stays where it is: libcurl holds pointers into it.
class Transfer {
 public:
  enum class Body {
    gathered,  ///< of the answer: it is part of `result`
    streamed,  ///< it is taken piece by piece, once the head is there
  };

  /// `easy` is fresh or reset.
  Transfer(const asio::any_io_executor& loop, Easy easy, ClientRequest request, const ClientOptions& options,
           Body body);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Why it can't even be tried; empty when it can.
  const std::string& unusable() const noexcept { return unusable_; }
  CURL* easy() noexcept { return easy_.get(); }
  /// Expires when the exchange has lasted too long, is cancelled when there is something new. libcurl has a
  /// timeout of its own, which does not run while a request waits for a free connection.
  asio::steady_timer& over() noexcept { return over_; }

  void end(CURLcode code);
  bool ended() const noexcept { return ended_; }
  ClientResult result();
  /// Of a streamed answer: the head is there, and can be taken once.
  bool has_head() const noexcept { return head_whole_; }
  ClientResponse take_head();
  bool has_piece() const noexcept { return !response_.body.empty(); }
  std::string take_piece();
  Duration timeout() const noexcept { return request_.timeout; }
  /// Asks the source of the body for no more; not to be given to libcurl again.
  void stop_pulling();
  /// It has not ended yet.
  bool pulling() const noexcept { return pull_ && pull_->pulling(); }
  /// Returns when it has; also to a coroutine that is cancelled, if that is told not to throw.
  asio::awaitable<void> pulled_out();
  /// Not to the end: why is for people.
  ClientResult broken_off(std::string_view why);
  Easy take_easy() { return std::move(easy_); }

 private:
  /// Of the answer, as far as it has come.
  int status() const noexcept;
  static std::size_t on_read(char* to, std::size_t, std::size_t size, void* self) noexcept;
  std::size_t give_body(char* to, std::size_t size);
  static std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* self) noexcept;
  static std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept;
  static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* place) noexcept;
  static int before_send(void* self, char*, char*, int, int) noexcept;
  bool set_headers();
  void set_options(const ClientOptions& options);
  void set_body();
  bool may_have_left() const noexcept;
  void pulled();
  void pause_as_needed();
  void end_head();

  ClientRequest request_;
  Body body_;
  RequestPlace place_;
  std::string unusable_;
  HeaderList headers_;
  ClientResponse response_;
  std::array<char, CURL_ERROR_SIZE> words_{};
  AddressFilter allowed_;
  std::string refused_;  ///< the last address that was not allowed
  int opened_ = 0;       ///< sockets, to addresses that were
  int sends_ = 0;
  std::shared_ptr<BodyPull> pull_;  ///< of a body that is not whole yet
  std::size_t given_ = 0;           ///< of the part that was there from the start
  bool body_begun_ = false;         ///< some of such a body has been given away: there is no way back
  bool stopping_ = false;
  bool sending_paused_ = false;
  bool receiving_paused_ = false;
  bool head_whole_ = false;  ///< the empty line after the last status line has come
  bool too_long_ = false;
  bool resend_refused_ = false;
  bool ended_ = false;
  CURLcode code_ = CURLE_OK;
  Easy easy_;  // before what it points to is gone
  asio::steady_timer over_;
};

}  // namespace tgkeep::http
