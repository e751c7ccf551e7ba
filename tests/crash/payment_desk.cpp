#include "crash/payment_desk.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <future>
#include <stdexcept>

namespace tgkeep::test {

PaymentDesk::PaymentDesk() {
  server_ = emulator::BotServer::listen(io_.get_executor(), clock_).value();
  account_ = &server_->add_bot(token(), 1);
  root_ = server_->root();
  server_->set_faults([this](const emulator::CallRecord& record) { return hear(record); });
  thread_ = std::thread([this] { io_.run(); });
}

PaymentDesk::~PaymentDesk() {
  boost::asio::co_spawn(io_, server_->stop(Duration(0)), boost::asio::use_future).get();
  work_.reset();
  thread_.join();
}

std::string PaymentDesk::token() const {
  return std::to_string(bot()) + ":AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
}

emulator::Fault PaymentDesk::hear(const emulator::CallRecord& record) {
  if (record.method != "sendMessage") return emulator::Fault();
  const std::string text(record.params.text("text"));
  const std::lock_guard lock(mutex_);
  thanked_.insert(text.substr(text.rfind(' ') + 1));
  changed_.notify_all();
  return emulator::Fault();
}

void PaymentDesk::report(const std::string& charge, std::int64_t user, const std::string& currency,
                         std::int64_t amount) {
  const boost::json::value message = {{"message_id", ++message_},
                                      {"date", 1767225600},
                                      {"chat", {{"id", user}, {"type", "private"}, {"first_name", "A"}}},
                                      {"from", {{"id", user}, {"is_bot", false}, {"first_name", "A"}}},
                                      {"successful_payment",
                                       {{"currency", currency},
                                        {"total_amount", amount},
                                        {"invoice_payload", "p"},
                                        {"telegram_payment_charge_id", charge},
                                        {"provider_payment_charge_id", "x" + charge}}}};
  const std::string body = boost::json::serialize(message);
  std::promise<void> added;
  boost::asio::post(io_, [&] {
    account_->add("message", body);
    added.set_value();
  });
  added.get_future().get();
}

void PaymentDesk::wait_for_thanks(const std::set<std::string>& charges, const std::set<std::string>& all,
                                  std::size_t more) {
  const auto is_thanked = [this](const std::string& charge) { return thanked_.contains(charge); };
  const std::size_t wanted = std::min(charges.size() + more, all.size());
  const auto enough = [&] {
    if (!std::ranges::all_of(charges, is_thanked)) return false;
    return static_cast<std::size_t>(std::ranges::count_if(all, is_thanked)) >= wanted;
  };
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, std::chrono::minutes(1), enough)) return;
  throw std::runtime_error("of " + std::to_string(all.size()) + " payments only " +
                           std::to_string(thanked_.size()) + " were thanked for");
}

}  // namespace tgkeep::test
