#pragma once
// The body of an answer on its way from libcurl to whoever reads it; libcurl waits when nobody does.

#include <boost/asio/awaitable.hpp>

#include "http/client.hpp"
#include "http/curl_multi.hpp"
#include "http/curl_transfer.hpp"

namespace tgkeep::http {

class AnswerBody final : public AnswerStream {
 public:
  /// Starts the exchange. `multi` must outlive it.
  AnswerBody(Client::Multi& multi, ClientRequest request);
  ~AnswerBody() override;

  /// Waits for the head.
  asio::awaitable<ClientResult> head();
  asio::awaitable<PieceResult> read() override;

 private:
  enum class News {
    some,       ///< look again
    late,       ///< the time is over
    cancelled,  ///< whoever waits is
  };
  asio::awaitable<News> news();
  bool has_news() const;
  void leave();

  Client::Multi& multi_;
  Transfer transfer_;
  bool waits_for_head_ = true;
  bool broken_ = false;  ///< by silence
};

}  // namespace tgkeep::http
