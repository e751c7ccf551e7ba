// With a face: its bot in a process of its own, what that bot is told of its calls, and one chat that is
// flooded.

#include <utility>

#include "loop/event.hpp"
#include "prove/echo_text.hpp"
#include "prove/face_bot.hpp"
#include "prove/proof_tag.hpp"
#include "prove/torment.hpp"

namespace tgkeep::prove {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr Duration kTick = milliseconds(3);
constexpr std::int64_t kBesides = 60;  // updates of other chats, while one is flooded
constexpr std::int64_t kFewest = 40;   // calls to them

std::string message_of(std::int64_t chat) {
  const std::string id = std::to_string(chat);
  return "{\"message_id\":1,\"date\":1790000000,\"chat\":{\"id\":" + id +
         ",\"type\":\"private\",\"first_name\":\"Flood\"},\"from\":{\"id\":" + id +
         ",\"is_bot\":false,\"first_name\":\"Flood\"},\"text\":\"quick\"}";
}

}  // namespace

std::vector<std::string> Torment::face_bot_command() const {
  return {options_.program, "prove-face-bot",
          "--way",          std::string(to_string(options_.workload.face)),
          "--face-port",    std::to_string(face_port_),
          "--port",         std::to_string(receiver_port_),
          "--handler-log",  handler_log(),
          "--call-log",     call_log(),
          "--control",      options_.folder + "/control",
          "--seed",         std::to_string(options_.seed)};
}

// What arrived until the log was read, was made in it. Calls are judged when they have ended, in the order of
// their arrival.
Result<void> Torment::read_face_calls(std::size_t until) {
  const auto events = call_log_.read(call_log());
  if (!events) return events.error();
  for (const CallEvent& event : *events) face_calls_.event(event);
  for (; calls_read_ < until; ++calls_read_) {
    const emulator::CallRecord& record = server_->calls()[calls_read_];
    if (record.method != "sendMessage") continue;
    if (record.end == emulator::CallRecord::End::running) break;
    const std::optional<std::int64_t> number = call_of_text(record.params.text("text"));
    if (!number) {
      checker_.stray("a sendMessage call that the bot has not made");
      continue;
    }
    const bool answered = record.end == emulator::CallRecord::End::answered;
    face_calls_.arrived(*number, record.chat, record.took_effect, answered);
    if (record.chat == kFloodedChat) flooded_call_ = *number;
  }
  return {};
}

emulator::Fault Torment::choose_call_fault() {
  using emulator::Fault;
  switch (dice_.between(0, 99)) {
    case 0:
      strikes_.add(Nemesis::connection_reset);
      return Fault::hang_up();
    case 1:
      strikes_.add(Nemesis::connection_reset);
      return Fault::reset();
    case 2:
      strikes_.add(Nemesis::answer_lost);
      return Fault::hang_up_after();
    case 3:
      strikes_.add(Nemesis::answer_lost);
      return Fault::reset_after();
    case 4:
      strikes_.add(Nemesis::answer_lost);
      return Fault::cut(40);
    case 5:
      strikes_.add(Nemesis::server_error);
      return Fault::status(dice_.chance(0.5) ? 500 : 502);
    case 6:
      strikes_.add(Nemesis::server_error);
      return Fault::html();
    case 7:
      strikes_.add(Nemesis::server_error);
      return Fault::body(200, "{\"ok\":tr", "application/json");
    case 8:
      strikes_.add(Nemesis::flood);
      return Fault::flood(seconds(1));
    case 9:
      strikes_.add(Nemesis::answer_late);
      return Fault::late_answer(dice_.between(milliseconds(50), milliseconds(1000)));
    case 10:
      return Fault::status(400, "Bad Request: chat not found");
    default:
      return Fault();
  }
}

// Telegram lets one chat wait for a minute. All the calls to others that are made meanwhile must be done
// while that one still waits: it is they that are counted, not the time they take.
asio::awaitable<Result<void>> Torment::flood_one_chat() {
  const UpdateId next = next_id(true);
  const std::optional<UpdateId> id =
      account_->add("message", tagged(message_of(kFloodedChat), ProofTag(next, kFloodedChat)));
  note_sent(*id, kFloodedChat, chat_key(kFloodedChat));
  Result<void> going = look();
  while (!going.has_error() && !flooded_call_) {
    co_await loop::sleep_for(clock_, kTick);
    going = look();
  }
  const std::int64_t before = face_calls_.made();
  const std::int64_t good = face_calls_.told(Told::ok);
  add_updates(kBesides);
  if (!going.has_error()) going = co_await complete();
  if (going.has_error()) co_return going;
  const std::int64_t made = face_calls_.made() - before;
  const std::int64_t done = face_calls_.told(Told::ok) - good;
  if (made < kFewest || done != made)
    promises_.broken(Promise::flood_is_local, "while one chat was flooded, " + std::to_string(made) +
                                                  " calls were made to others, and " + std::to_string(done) +
                                                  " had a result");
  const std::optional<Told> told = face_calls_.told_of(*flooded_call_);
  if (told)
    promises_.broken(Promise::flood_is_local, "the call to the flooded chat did not outwait the others: " +
                                                  std::string(to_string(*told)));
  co_return going;
}

void Torment::judge_face_calls() {
  const Result<void> read = read_face_calls(server_->calls().size());
  if (read.has_error()) return promises_.broken(Promise::outcomes_told, read.error().text());
  face_calls_.finish();
  for (const std::string& problem : face_calls_.doubled()) promises_.broken(Promise::no_double_send, problem);
  for (const std::string& problem : face_calls_.untrue()) promises_.broken(Promise::outcomes_told, problem);
  for (const std::string& problem : face_calls_.disordered())
    promises_.broken(Promise::order_per_key, problem);
}

}  // namespace tgkeep::prove
