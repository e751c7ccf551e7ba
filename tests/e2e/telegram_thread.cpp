#include "e2e/telegram_thread.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <future>
#include <stdexcept>

namespace tgkeep::test {

namespace {
constexpr auto kPatience = std::chrono::minutes(1);
}

TelegramThread::TelegramThread() {
  server_ = emulator::BotServer::listen(io_.get_executor(), clock_).value();
  accounts_[kBotToken] = &server_->add_bot(kBotToken, 1);
  accounts_[kOtherToken] = &server_->add_bot(kOtherToken, 2);
  root_ = server_->root();
  server_->set_faults([this](const emulator::CallRecord& record) { return note(record); });
  thread_ = std::thread([this] { io_.run(); });
}

TelegramThread::~TelegramThread() {
  boost::asio::co_spawn(io_, server_->stop(Duration(0)), boost::asio::use_future).get();
  work_.reset();
  thread_.join();
}

emulator::Fault TelegramThread::note(const emulator::CallRecord& record) {
  const std::lock_guard lock(mutex_);
  requests_.emplace_back(record.method,
                         std::to_string(record.chat) + ":" + std::string(record.params.text("text")));
  changed_.notify_all();
  return faults_ ? faults_(record) : emulator::Fault();
}

void TelegramThread::on_loop(std::function<void()> work) {
  std::promise<void> done;
  boost::asio::post(io_, [&] {
    work();
    done.set_value();
  });
  done.get_future().get();
}

void TelegramThread::send(std::int64_t chat, std::string_view text, std::string_view token) {
  add_message({{"id", chat}, {"type", "private"}, {"first_name", "A"}}, chat, text, token);
}

void TelegramThread::send_as(std::int64_t user, std::int64_t group, std::string_view text,
                             std::string_view token) {
  add_message({{"id", group}, {"type", "group"}, {"title", "G"}}, user, text, token);
}

void TelegramThread::add_message(boost::json::value chat, std::int64_t user, std::string_view text,
                                 std::string_view token) {
  boost::json::object message{{"message_id", ++message_},
                              {"date", 1767225600},
                              {"chat", std::move(chat)},
                              {"from", {{"id", user}, {"is_bot", false}, {"first_name", "A"}}},
                              {"text", text}};
  if (text.starts_with('/')) {
    const std::size_t length = std::min(text.find(' '), text.size());
    boost::json::object entity{{"type", "bot_command"}, {"offset", 0}, {"length", length}};
    message["entities"] = boost::json::array{std::move(entity)};
  }
  const std::string body = boost::json::serialize(message);
  on_loop([&] { accounts_.at(token)->add("message", body); });
}

void TelegramThread::set_faults(emulator::FaultScript script) {
  on_loop([&] { faults_ = std::move(script); });
}

void TelegramThread::wait_for(std::string_view method, std::size_t count) {
  std::unique_lock lock(mutex_);
  const auto arrived = [&] {
    const auto same = [&](const Request& request) { return request.method == method; };
    return static_cast<std::size_t>(std::count_if(requests_.begin(), requests_.end(), same)) >= count;
  };
  if (!changed_.wait_for(lock, kPatience, arrived))
    throw std::runtime_error("no " + std::string(method) + " came");
}

std::vector<std::string> TelegramThread::sent() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  for (const Request& request : requests_) {
    if (request.method == "sendMessage") texts.push_back(request.content);
  }
  return texts;
}

}  // namespace tgkeep::test
