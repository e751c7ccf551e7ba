#include "http/curl_transfer.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <utility>

namespace tgkeep::http {

namespace {

// libcurl's own timeout comes first: its words say how far the exchange got.
constexpr Duration kGrace = std::chrono::milliseconds(250);

constexpr std::size_t kPiece = 48U << 10;

// 0 would mean "for ever" (or libcurl's default).
long millis(Duration duration) {
  return static_cast<long>(
      std::max<std::int64_t>(1, std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()));
}

bool is_one_line(std::string_view text) noexcept {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

// Empty for what is no IP address. IPv4 in IPv6's clothes is IPv4: a filter must not be passed by dressing
// up.
std::string address_text(const sockaddr& end) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&end);
  if (end.sa_family == AF_INET) {
    asio::ip::address_v4::bytes_type four;
    std::copy_n(bytes + offsetof(sockaddr_in, sin_addr), four.size(), four.begin());
    return asio::ip::make_address_v4(four).to_string();
  }
  if (end.sa_family != AF_INET6) return {};
  asio::ip::address_v6::bytes_type sixteen;
  std::copy_n(bytes + offsetof(sockaddr_in6, sin6_addr), sixteen.size(), sixteen.begin());
  const auto address = asio::ip::make_address_v6(sixteen);
  if (address.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, address).to_string();
  return address.to_string();
}

void trust_only(CURL* easy, const std::string& certificates) {
  curl_blob text{const_cast<char*>(certificates.data()), certificates.size(), CURL_BLOB_COPY};
  curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &text);
  curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
}

}  // namespace

Transfer::Transfer(const asio::any_io_executor& loop, Easy easy, ClientRequest request,
                   const ClientOptions& options, Body body)
    : request_(std::move(request)),
      body_(body),
      place_(request_.url, request_.unix_socket),
      easy_(std::move(easy)),
      over_(loop) {
  if (!easy_) {
    unusable_ = "out of memory";
  } else if (!place_.valid()) {
    unusable_ = "the URL has no http:// or https:// host";
  } else if (request_.method != "GET" && request_.method != "POST") {
    unusable_ = "only GET and POST are known";
  } else if (request_.rest && request_.method != "POST") {
    unusable_ = "only a POST has a body";
  } else if (request_.rest && request_.length.value_or(request_.body.size()) < request_.body.size()) {
    unusable_ = "its body is longer than its length";
  } else if (!set_headers()) {
    unusable_ = "a header holds a line break";
  } else {
    set_options(options);
    over_.expires_after(request_.timeout + kGrace);
  }
}

Transfer::~Transfer() {
  if (pull_) pull_->abandon();
}

bool Transfer::set_headers() {
  std::vector<std::string> lines;
  // libcurl would add both: a pause of a second before larger bodies, and the type of an HTML form.
  lines.emplace_back("Expect:");
  if (find_header(request_.headers, "Content-Type") == nullptr) lines.emplace_back("Content-Type:");
  for (const auto& [name, value] : request_.headers) {
    if (name.empty() || !is_one_line(name) || !is_one_line(value)) return false;
    lines.push_back(value.empty() ? name + ";" : name + ": " + value);
  }
  for (const auto& line : lines) {
    curl_slist* list = curl_slist_append(headers_.get(), line.c_str());
    if (list == nullptr) return false;
    if (!headers_) headers_.reset(list);
  }
  return true;
}

void Transfer::set_options(const ClientOptions& options) {
  CURL* const easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // Without it, giving up on a name that does not resolve blocks the loop until the resolver's thread ends.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_PROXY, options.proxy.c_str());
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 64L << 10);
  if (body_ == Body::gathered) curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, millis(request_.timeout));
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, millis(request_.connect_timeout));
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
  // In libcurl 7.88 one paused HTTP/2 stream holds all others of its connection.
  const bool streams = body_ == Body::streamed || request_.rest;
  const bool http2 = options.http2 && !streams;
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
  if (request_.method == "POST") set_body();
  if (!options.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, options.ca_file.c_str());
  if (!options.ca_pem.empty()) trust_only(easy, options.ca_pem);
  if (!request_.unix_socket.empty()) {
    curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, request_.unix_socket.c_str());
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
  } else if (options.allowed && options.proxy.empty()) {
    allowed_ = options.allowed;
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &Transfer::open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
  }
  curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, words_.data());
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, &Transfer::before_send);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, this);
}

void Transfer::set_body() {
  CURL* const easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  if (!request_.rest) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_.body.c_str());
    return;
  }
  std::optional<std::uint64_t> rest = request_.length;
  if (rest) *rest -= request_.body.size();
  request_.repeatable = false;
  pull_ =
      std::make_shared<BodyPull>(over_.get_executor(), std::move(request_.rest), rest, [this] { pulled(); });
  const curl_off_t length = request_.length ? static_cast<curl_off_t>(*request_.length) : -1;
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, length);
  curl_easy_setopt(easy, CURLOPT_READFUNCTION, &Transfer::on_read);
  curl_easy_setopt(easy, CURLOPT_READDATA, this);
}

std::size_t Transfer::on_read(char* to, std::size_t, std::size_t size, void* self) noexcept {
  try {
    return static_cast<Transfer*>(self)->give_body(to, size);
  } catch (...) {
    return CURL_READFUNC_ABORT;
  }
}

std::size_t Transfer::give_body(char* to, std::size_t size) {
  std::size_t given = std::min(size, request_.body.size() - given_);
  BodyPull::Step step = BodyPull::Step::some;
  if (given > 0) {
    std::copy_n(request_.body.data() + given_, given, to);
    given_ += given;
  } else {
    step = pull_->give(to, size, given);
  }
  if (step == BodyPull::Step::broken) return CURL_READFUNC_ABORT;
  if (step == BodyPull::Step::wait) {
    sending_paused_ = true;
    return CURL_READFUNC_PAUSE;
  }
  body_begun_ = true;
  return given;
}

void Transfer::pulled() {
  if (stopping_) over_.cancel();
  if (!sending_paused_ || ended_ || stopping_) return;
  sending_paused_ = false;
  pause_as_needed();
}

// libcurl may hand over at once what it kept while receiving was paused.
void Transfer::pause_as_needed() {
  int paused = CURLPAUSE_CONT;
  if (sending_paused_) paused |= CURLPAUSE_SEND;
  if (receiving_paused_) paused |= CURLPAUSE_RECV;
  const CURLcode code = curl_easy_pause(easy_.get(), paused);
  if (code != CURLE_OK) end(code);
}

void Transfer::stop_pulling() {
  stopping_ = true;
  if (pull_) pull_->stop();
}

asio::awaitable<void> Transfer::pulled_out() {
  while (pulling()) {
    over_.expires_at(asio::steady_timer::time_point::max());
    co_await over_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

int Transfer::status() const noexcept {
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  return static_cast<int>(status);
}

ClientResponse Transfer::take_head() {
  ClientResponse head;
  head.status = status();
  head.headers = std::move(response_.headers);
  return head;
}

std::string Transfer::take_piece() {
  std::string piece = std::exchange(response_.body, std::string());
  if (receiving_paused_ && !ended_) {
    receiving_paused_ = false;
    pause_as_needed();
  }
  return piece;
}

std::size_t Transfer::on_body(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  std::string& body = transfer.response_.body;
  if (transfer.body_ == Body::streamed) {
    if (body.size() >= kPiece) {
      transfer.receiving_paused_ = true;
      return CURL_WRITEFUNC_PAUSE;
    }
    body.append(bytes, size);
    transfer.over_.cancel();
    return size;
  }
  if (size > transfer.request_.max_answer - body.size()) {
    transfer.too_long_ = true;
    return 0;
  }
  body.append(bytes, size);
  return size;
}

std::size_t Transfer::on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  Headers& headers = transfer.response_.headers;
  std::string_view line(bytes, size);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  // What follows the body is no header. A second status line follows a 1xx answer, whose head ends, too.
  if (transfer.head_whole_) return size;
  if (line.starts_with("HTTP/")) headers.clear();
  if (line.empty()) transfer.end_head();
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return size;
  const std::size_t value = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
  headers.emplace_back(line.substr(0, colon), line.substr(value));
  return size;
}

void Transfer::end_head() {
  head_whole_ = status() >= 200;
  if (head_whole_ && body_ == Body::streamed) over_.cancel();
  // At a refusal libcurl sends no more of the body, but only ends when that is not paused.
  if (head_whole_ && sending_paused_) pull_->nudge();
}

// The last moment before a connection leaves, with the address it would go to: a name that resolves to
// something else than it did a moment ago is judged by what it is now.
curl_socket_t Transfer::open_socket(void* self, curlsocktype, curl_sockaddr* place) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  try {
    const std::string address = address_text(place->addr);
    if (address.empty() || !transfer.allowed_(address)) {
      transfer.refused_ = address.empty() ? "of an unknown kind" : address;
      return CURL_SOCKET_BAD;
    }
  } catch (...) {
    transfer.refused_ = "that could not be checked";
    return CURL_SOCKET_BAD;
  }
  ++transfer.opened_;
  return ::socket(place->family, place->socktype | SOCK_CLOEXEC, place->protocol);
}

// Called each time before the request is written. libcurl writes it again by itself when a kept connection
// closes before an answer came: for a request with an effect that would be twice.
int Transfer::before_send(void* self, char*, char*, int, int) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  const bool gone = transfer.may_have_left() || transfer.body_begun_;
  if (!transfer.request_.repeatable && gone) {
    transfer.resend_refused_ = true;
    return CURL_PREREQFUNC_ABORT;
  }
  ++transfer.sends_;
  return CURL_PREREQFUNC_OK;
}

// Over TLS (and HTTP/2, which needs it) the count of written bytes does not tell what has left.
bool Transfer::may_have_left() const noexcept {
  if (sends_ == 0) return false;
  long written = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &written);
  return place_.secure() || written > 0;
}

void Transfer::end(CURLcode code) {
  code_ = code;
  ended_ = true;
  over_.cancel();
}

ClientResult Transfer::result() {
  if (code_ == CURLE_OK && !head_whole_) {
    // For libcurl a connection that closes inside the head ends an answer without a body.
    return broken_off("the connection closed inside the answer's head");
  }
  if (code_ == CURLE_OK) {
    response_.status = status();
    return std::move(response_);
  }
  if (too_long_) {
    return broken_off("the answer is longer than the allowed " + std::to_string(request_.max_answer) +
                      " bytes");
  }
  if (opened_ == 0 && !refused_.empty()) {
    return broken_off("its address " + refused_ + " is not allowed; allow it, or choose another target");
  }
  if (pull_ && !pull_->failure().empty()) return broken_off(pull_->failure());
  if (resend_refused_) return broken_off("the connection closed before the answer came");
  const std::string_view plain = curl_easy_strerror(code_);
  const std::string_view words = words_[0] == '\0' ? plain : std::string_view(words_.data());
  return broken_off(place_.safe(words, plain));
}

ClientResult Transfer::broken_off(std::string_view why) {
  std::string text(why);
  if (may_have_left()) {
    text = "no complete answer from " + place_.text() + ": " + text + "; the request may have arrived";
    return ClientError(ClientError::Kind::maybe_sent, std::move(text));
  }
  text = "nothing was sent to " + place_.text() + ": " + text;
  return ClientError(ClientError::Kind::not_sent, std::move(text));
}

}  // namespace tgkeep::http
