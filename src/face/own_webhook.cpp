#include "face/own_webhook.hpp"

#include <boost/json.hpp>
#include <exception>

#include "face/durable_file.hpp"

namespace tgkeep::face {

namespace {

namespace json = boost::json;

constexpr int kVersion = 1;
constexpr const char* kFileName = "face.json";

std::string text_of(const json::value& value) {
  return std::string(value.as_string().c_str(), value.as_string().size());
}

json::object to_json(const OwnWebhook& webhook) {
  json::object object;
  object["url"] = webhook.url;
  object["target"] = webhook.target;
  object["place"] = webhook.place;
  object["secret_token"] = webhook.secret;
  object["ip_address"] = webhook.address;
  object["max_connections"] = webhook.max_connections;
  return object;
}

// These throw when something is missing or of the wrong type.

OwnWebhook webhook_of(const json::object& object) {
  OwnWebhook webhook(text_of(object.at("url")));
  webhook.target = text_of(object.at("target"));
  webhook.place = text_of(object.at("place"));
  webhook.secret = text_of(object.at("secret_token"));
  webhook.address = text_of(object.at("ip_address"));
  webhook.max_connections = object.at("max_connections").to_number<std::uint32_t>();
  return webhook;
}

Kinds kinds_of(const json::array& names) {
  Kinds kinds;
  for (const json::value& name : names) kinds.push_back(text_of(name));
  return kinds;
}

DropMark mark_of(const json::object& object) {
  return DropMark(Seq(object.at("last").to_number<std::int64_t>()),
                  from_millis(object.at("at").to_number<std::int64_t>()));
}

void read_into(OwnSettings& settings, const std::string& text) {
  const json::value value = json::parse(text);
  const json::object& object = value.as_object();
  if (object.at("version").to_number<int>() != kVersion) {
    throw std::runtime_error("it was written by another version of tgkeep");
  }
  if (const json::value* const webhook = object.if_contains("webhook")) {
    settings.webhook = webhook_of(webhook->as_object());
  }
  if (const json::value* const kinds = object.if_contains("allowed_updates")) {
    settings.kinds = kinds_of(kinds->as_array());
  }
  if (const json::value* const mark = object.if_contains("dropped")) {
    settings.dropped = mark_of(mark->as_object());
  }
}

}  // namespace

Result<OwnSettings> OwnSettings::load(const std::string& folder) {
  OwnSettings settings;
  if (folder.empty()) return settings;
  settings.path_ = folder + "/" + kFileName;
  Result<std::optional<std::string>> text = read_file(settings.path_);
  if (!text) return text.error();
  if (!*text) return settings;
  try {
    read_into(settings, **text);
  } catch (const std::exception& failure) {
    return Error(Errc::bad_config,
                 settings.path_ + " is damaged (" + failure.what() +
                     "); it holds the webhook and the kinds of updates that the bot itself has "
                     "set: remove it and let the bot set them anew");
  }
  return settings;
}

Result<void> OwnSettings::save() const {
  if (path_.empty()) return Result<void>();
  json::object object;
  object["version"] = kVersion;
  if (webhook) object["webhook"] = to_json(*webhook);
  if (kinds) object["allowed_updates"] = json::array(kinds->begin(), kinds->end());
  if (dropped) {
    json::object mark;
    mark["last"] = dropped->last.value();
    mark["at"] = to_millis(dropped->at);
    object["dropped"] = std::move(mark);
  }
  return write_file(path_, json::serialize(object) + "\n");
}

}  // namespace tgkeep::face
