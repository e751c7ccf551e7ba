#include "admin/changing.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <limits>

#include "admin/chosen_items.hpp"
#include "admin/picture.hpp"
#include "admin/refusal.hpp"

namespace tgkeep::admin {

namespace json = boost::json;

namespace {

// Dropped by whom, in the counts.
constexpr std::string_view kBy = "operator";
constexpr std::size_t kBatch = 1000;

asio::awaitable<http::ServerReply> set_paused(Office& office, Inquiry inquiry, bool paused) {
  const std::optional<Queue> queue = inquiry.params.queue("queue");
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  for (const Queue each : {Queue::inbox, Queue::outbox}) {
    if (queue && *queue != each) continue;
    OperatedBot* const bot = bot_with(office.premises, inquiry.bot);
    if (bot == nullptr) co_return bot_gone();
    const Result<void> done = co_await bot->set_paused(each, paused);
    if (done.has_error()) co_return refuse(done.error());
  }
  const OperatedBot* const bot = bot_with(office.premises, inquiry.bot);
  if (bot == nullptr) co_return bot_gone();
  json::object queues;
  queues["inbox"] = bot->paused(Queue::inbox);
  queues["outbox"] = bot->paused(Queue::outbox);
  json::object answer;
  answer["paused"] = std::move(queues);
  co_return json_reply(answer);
}

json::array numbers_json(const std::vector<Seq>& seqs) {
  json::array numbers;
  for (const Seq seq : seqs) numbers.emplace_back(seq.value());
  return numbers;
}

/// Runs on a thread of the store's.
bool is_about(const DeskOptions& options, const StoredItem& item, std::int64_t id, bool chat,
              const std::string& key) {
  const bool ordered_by = std::any_of(item.keys.begin(), item.keys.end(),
                                      [&key](const std::string& each) { return each == key; });
  return ordered_by || (options.concerns && options.concerns(item.body, id, chat));
}

}  // namespace

asio::awaitable<http::ServerReply> pause_deliveries(Office& office, Inquiry inquiry) {
  return set_paused(office, std::move(inquiry), true);
}

asio::awaitable<http::ServerReply> resume_deliveries(Office& office, Inquiry inquiry) {
  return set_paused(office, std::move(inquiry), false);
}

asio::awaitable<http::ServerReply> retry_items(Office& office, Inquiry inquiry) {
  ItemChoice choice = read_choice(inquiry.params);
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (browser_with(office.premises, inquiry.bot) == nullptr) co_return not_searchable();
  const Queue queue = choice.queue;
  const Result<std::vector<Seq>> seqs = co_await chosen_seqs(office, inquiry.bot, std::move(choice));
  if (seqs.has_error()) co_return refuse(seqs.error());
  json::array retried;
  json::array missing;
  for (const Seq seq : *seqs) {
    StoreBrowser* const browser = browser_with(office.premises, inquiry.bot);
    if (browser == nullptr) co_return bot_gone();
    const Result<Seq> as = co_await browser->retry(queue, seq);
    if (as.has_error() && as.error().code() != Errc::not_found) co_return refuse(as.error());
    if (as.has_error()) {
      missing.emplace_back(seq.value());
      continue;
    }
    json::object one;
    one["seq"] = seq.value();
    one["as"] = as->value();
    retried.push_back(std::move(one));
  }
  json::object answer;
  answer["retried"] = std::move(retried);
  answer["missing"] = std::move(missing);
  co_return json_reply(answer);
}

asio::awaitable<http::ServerReply> drop_items(Office& office, Inquiry inquiry) {
  ItemChoice choice = read_choice(inquiry.params);
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  if (browser_with(office.premises, inquiry.bot) == nullptr) co_return not_searchable();
  const Queue queue = choice.queue;
  const Result<std::vector<Seq>> seqs = co_await chosen_seqs(office, inquiry.bot, std::move(choice));
  if (seqs.has_error()) co_return refuse(seqs.error());
  std::vector<Seq> dropped;
  std::vector<Seq> missing;
  for (std::size_t at = 0; at < seqs->size(); at += kBatch) {
    const auto begin = seqs->begin() + static_cast<std::ptrdiff_t>(at);
    const std::vector<Seq> batch(begin,
                                 begin + static_cast<std::ptrdiff_t>(std::min(kBatch, seqs->size() - at)));
    StoreBrowser* const browser = browser_with(office.premises, inquiry.bot);
    if (browser == nullptr) co_return bot_gone();
    const Result<std::vector<bool>> gone = co_await browser->drop(queue, batch, std::string(kBy));
    if (gone.has_error()) co_return refuse(gone.error());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const bool was_there = i < gone->size() && (*gone)[i];
      (was_there ? dropped : missing).push_back(batch[i]);
    }
  }
  json::object answer;
  answer["dropped"] = numbers_json(dropped);
  answer["missing"] = numbers_json(missing);
  co_return json_reply(answer);
}

asio::awaitable<http::ServerReply> erase_person(Office& office, Inquiry inquiry) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto user = inquiry.params.number("user", 1, kMost);
  const auto chat = inquiry.params.number("chat", -kMost, kMost);
  if (user.has_value() == chat.has_value()) {
    inquiry.params.refuse("say whom: {\"user\": 42} for a person, or {\"chat\": -100} for a chat");
  }
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  StoreBrowser* const browser = browser_with(office.premises, inquiry.bot);
  if (browser == nullptr) co_return not_searchable();
  const std::int64_t id = chat ? *chat : *user;
  const std::string key = (chat ? "chat:" : "user:") + std::to_string(id);
  EraseRequest request;
  request.state_keys = {key};
  request.concerns = [&options = office.options, id, of_chat = chat.has_value(),
                      key](const StoredItem& item) { return is_about(options, item, id, of_chat, key); };
  const Result<Erased> erased = co_await browser->erase(std::move(request));
  if (erased.has_error()) co_return refuse(erased.error());
  json::object answer;
  answer["waiting"] = erased->waiting;
  answer["finished"] = erased->finished;
  answer["state"] = erased->state;
  co_return json_reply(answer);
}

asio::awaitable<http::ServerReply> back_up(Office& office, Inquiry inquiry) {
  std::string folder = inquiry.params.text("folder");
  if (!folder.starts_with('/')) {
    inquiry.params.refuse(
        "folder must be the absolute path of a folder that does not exist yet, such as "
        "\"/var/backups/bot-monday\"");
  }
  if (folder.find('\0') != std::string::npos) inquiry.params.refuse("folder holds a byte 0");
  if (const auto wrong = inquiry.params.wrong()) co_return wrong_request(*wrong);
  StoreBrowser* const browser = browser_with(office.premises, inquiry.bot);
  if (browser == nullptr) co_return not_searchable();
  Progress nobody_looks;
  const Result<BackupReport> report = co_await browser->backup(std::move(folder), std::move(nobody_looks));
  if (report.has_error()) co_return refuse(report.error());
  json::object answer;
  answer["folder"] = as_text(report->folder);
  answer["commits"] = report->commits;
  answer["bytes"] = report->bytes;
  co_return json_reply(answer);
}

}  // namespace tgkeep::admin
