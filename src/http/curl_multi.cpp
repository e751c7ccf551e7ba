#include "http/curl_multi.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <new>

namespace tgkeep::http {

namespace {

constexpr std::size_t kIdle = 64;

// Once per process, as libcurl asks.
CURLcode start_curl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  return code;
}

}  // namespace

// Waits for one of libcurl's sockets, which libcurl alone closes.
class Client::Multi::Watch : public std::enable_shared_from_this<Watch> {
 public:
  Watch(Multi& multi, curl_socket_t socket)
      : multi_(&multi), socket_(socket), descriptor_(multi.loop_, socket) {}
  ~Watch() { forget(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void want(int what) {
    wanted_[0] = (what & CURL_POLL_IN) != 0;
    wanted_[1] = (what & CURL_POLL_OUT) != 0;
    wait();
  }

  void forget() {
    if (multi_ == nullptr) return;
    multi_ = nullptr;
    descriptor_.release();
  }

 private:
  void wait() {
    wait(0, asio::posix::stream_descriptor::wait_read, CURL_CSELECT_IN);
    if (multi_ != nullptr) wait(1, asio::posix::stream_descriptor::wait_write, CURL_CSELECT_OUT);
  }

  void wait(std::size_t side, asio::posix::stream_descriptor::wait_type type, int event) {
    if (!wanted_[side] || waiting_[side]) return;
    waiting_[side] = true;
    descriptor_.async_wait(type,
                           [self = shared_from_this(), side, event](const boost::system::error_code& error) {
                             self->waiting_[side] = false;
                             if (self->multi_ == nullptr) return;
                             if (self->wanted_[side])
                               self->multi_->act(self->socket_, error ? CURL_CSELECT_ERR : event);
                             if (self->multi_ != nullptr && !error) self->wait();
                           });
  }

  Multi* multi_;
  curl_socket_t socket_;
  asio::posix::stream_descriptor descriptor_;
  std::array<bool, 2> wanted_{};
  std::array<bool, 2> waiting_{};
};

Client::Multi::Multi(const asio::any_io_executor& loop, ClientOptions options)
    : loop_(loop), options_(std::move(options)), timer_(loop) {
  if (start_curl() == CURLE_OK) multi_.reset(curl_multi_init());
  if (!multi_) throw std::bad_alloc();
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &Multi::on_socket);
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &Multi::on_timer);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
  limit_connections(options_.max_connections, options_.max_connections_per_host);
}

Client::Multi::~Multi() {
  for (CURL* easy : running_) curl_multi_remove_handle(multi_.get(), easy);
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, nullptr);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, nullptr);
  for (const auto& [socket, watch] : watches_) watch->forget();
}

void Client::Multi::limit_connections(long in_all, long per_host) noexcept {
  curl_multi_setopt(multi_.get(), CURLMOPT_MAX_TOTAL_CONNECTIONS, in_all);
  curl_multi_setopt(multi_.get(), CURLMOPT_MAX_HOST_CONNECTIONS, per_host);
}

Easy Client::Multi::lend() {
  if (idle_.empty()) return Easy(curl_easy_init());
  Easy easy = std::move(idle_.back());
  idle_.pop_back();
  return easy;
}

void Client::Multi::give_back(Easy easy) {
  if (!easy || idle_.size() >= kIdle) return;
  curl_easy_reset(easy.get());
  idle_.push_back(std::move(easy));
}

void Client::Multi::add(Transfer& transfer) {
  running_.insert(transfer.easy());
  if (curl_multi_add_handle(multi_.get(), transfer.easy()) != CURLM_OK) transfer.end(CURLE_OUT_OF_MEMORY);
}

void Client::Multi::remove(Transfer& transfer) {
  if (running_.erase(transfer.easy()) > 0) curl_multi_remove_handle(multi_.get(), transfer.easy());
}

int Client::Multi::on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept {
  auto& multi = *static_cast<Multi*>(self);
  const auto place = multi.watches_.find(socket);
  if (what == CURL_POLL_REMOVE) {
    if (place == multi.watches_.end()) return 0;
    place->second->forget();
    multi.watches_.erase(place);
    return 0;
  }
  try {
    if (place != multi.watches_.end()) {
      place->second->want(what);
    } else {
      const auto watch = std::make_shared<Watch>(multi, socket);
      multi.watches_.emplace(socket, watch);
      watch->want(what);
    }
  } catch (...) {
    return -1;
  }
  return 0;
}

int Client::Multi::on_timer(CURLM*, long millis, void* self) noexcept {
  auto& multi = *static_cast<Multi*>(self);
  try {
    if (millis < 0) {
      multi.timer_.cancel();
      return 0;
    }
    multi.timer_.expires_after(std::chrono::milliseconds(millis));
    multi.timer_.async_wait(
        [&multi, alive = std::weak_ptr(multi.alive_)](const boost::system::error_code& error) {
          if (!error && !alive.expired()) multi.act(CURL_SOCKET_TIMEOUT, 0);
        });
  } catch (...) {
    return -1;
  }
  return 0;
}

void Client::Multi::act(curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi_.get(), socket, events, &running);
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    void* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    static_cast<Transfer*>(transfer)->end(code);
  }
}

}  // namespace tgkeep::http
