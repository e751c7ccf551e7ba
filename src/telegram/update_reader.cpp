#include "telegram/update_reader.hpp"

#include <simdjson.h>

#include <optional>
#include <tgkeep/read_update.hpp>

#include "telegram/id_scan.hpp"
#include "telegram/json_parse.hpp"
#include "telegram/ordering_key.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep::telegram {

namespace {

namespace dom = simdjson::dom;

Error failed(Errc code, const std::string& what) {
  return Error(code, what + "; Telegram sends no such updates: look at what stands between it and tgkeep");
}

std::string size_of(std::string_view raw) {
  return std::to_string(raw.size()) + " bytes";
}

Error parse_error(simdjson::error_code reason, std::string_view raw) {
  if (reason == simdjson::DEPTH_ERROR) {
    return failed(Errc::too_large, "the update of " + size_of(raw) + " is nested deeper than 1024 levels");
  }
  return failed(Errc::bad_json,
                "the update of " + size_of(raw) + " is not valid JSON: " + simdjson::error_message(reason));
}

// No kind's name comes near; a longer one would only swell logs and metrics.
constexpr std::size_t kLongestKind = 64;

// What an update's outermost object holds.
class Fields {
 public:
  Fields() = default;
  std::optional<dom::element> update_id;
  bool two_ids = false;
  std::string_view kind;
  dom::element content;
  std::optional<UpdateKind> known;
};

// The kind is the one other field. Should Telegram ever add a second one, a kind we know goes first.
Fields read_fields(const dom::object& object) {
  Fields fields;
  for (const auto [name, value] : object) {
    if (name == "update_id") {
      fields.two_ids = fields.update_id.has_value();
      fields.update_id = value;
      continue;
    }
    if (fields.known) continue;
    fields.known = find_update_kind(name);
    if (!fields.known && !fields.kind.empty()) continue;
    fields.kind = name;
    fields.content = value;
  }
  return fields;
}

Result<UpdateId> read_id(const Fields& fields) {
  if (!fields.update_id) return failed(Errc::bad_update, "update_id is missing");
  if (fields.two_ids) return failed(Errc::bad_update, "update_id is there more than once");
  std::int64_t id = -1;
  const bool whole = fields.update_id->get(id) == simdjson::SUCCESS;
  if (!whole || id < 0 || id > kMaxUpdateId) {
    return failed(Errc::bad_update, "update_id is not a whole number from 0 to 2^53 - 1");
  }
  return UpdateId(id);
}

// Everything but the raw bytes themselves.
Result<Update> examine(BotId bot, WallTime received, const std::string& raw) {
  if (raw.size() > kMaxUpdate) {
    return failed(Errc::too_large,
                  "the update has " + size_of(raw) + ", more than " + std::to_string(kMaxUpdate));
  }
  if (raw.starts_with("\xef\xbb\xbf")) {
    return failed(Errc::bad_json, "the update starts with a byte order mark, which JSON does not have");
  }
  const ParsedJson parsed(raw);
  dom::element root;
  const auto reason = parsed.root().get(root);
  if (reason != simdjson::SUCCESS) return parse_error(reason, raw);
  dom::object object;
  if (root.get(object) != simdjson::SUCCESS)
    return failed(Errc::bad_update, "the update is not a JSON object");

  const Fields fields = read_fields(object);
  const auto id = read_id(fields);
  if (!id) return id.error();

  Update update;
  update.bot = bot;
  update.id = *id;
  update.received = received;
  if (fields.kind.size() <= kLongestKind) update.kind = std::string(fields.kind);
  if (fields.known) {
    update.lifetime = fields.known->lifetime;
    update.answer_expires = fields.known->answer_expires;
  }
  if (!fields.kind.empty()) {
    const KeyRule rule = fields.known ? fields.known->rule : KeyRule::chat;
    update.keys = ordering_keys(bot, rule, fields.content);
  }
  return update;
}

Update keep_unread(BotId bot, WallTime received, const std::string& raw, const Error& reason) {
  Update update;
  update.bot = bot;
  update.received = received;
  update.unreadable = std::string(to_string(reason.code())) + ": " + reason.text();
  // Below zero, so that a hash never meets an id of Telegram's.
  const auto hash = static_cast<std::int64_t>(stable_hash(raw) >> 1);
  update.id = scan_update_id(raw).value_or(UpdateId(-1 - hash));
  return update;
}

}  // namespace

Result<Update> read_update(BotId bot, WallTime received, std::string raw) {
  auto update = examine(bot, received, raw);
  if (update) update->raw = std::move(raw);
  return update;
}

Update read_or_keep(BotId bot, WallTime received, std::string raw) {
  auto read = examine(bot, received, raw);
  Update update = read ? std::move(*read) : keep_unread(bot, received, raw, read.error());
  update.raw = std::move(raw);
  return update;
}

}  // namespace tgkeep::telegram

namespace tgkeep {

Result<Update> read_update(BotId bot, WallTime received, std::string raw) {
  return telegram::read_update(bot, received, std::move(raw));
}

}  // namespace tgkeep
