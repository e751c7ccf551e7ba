// sendMessage, sendPhoto and the others that make one message.

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <vector>

#include "emulator/methods/media.hpp"
#include "emulator/methods/new_message.hpp"
#include "emulator/methods/registry.hpp"

namespace tgkeep::emulator {

namespace {

using Content = Checked<json::object> (*)(Call&);

template <Content content>
Answer send(Call& call) {
  Checked<json::object> made = content(call);
  if (!made) return made.error().answer();
  const Checked<std::int64_t> chat = find_writable_chat(call);
  if (!chat) return chat.error().answer();
  Checked<json::object> message = begin_message(call, *chat);
  if (!message) return message.error().answer();
  return answer_with(keep_message(call, *chat, *std::move(message), *std::move(made)));
}

Checked<json::object> text(Call& call) {
  return text_content(call);
}

/// send<Kind> has the parameter <kind>.
Checked<json::object> media(Call& call) {
  std::string name;
  for (const char letter : call.spec.name.substr(4)) {
    const bool upper = letter >= 'A' && letter <= 'Z';
    if (upper && !name.empty()) name += '_';
    name += static_cast<char>(upper ? letter - 'A' + 'a' : letter);
  }
  return media_content(call, *find_media_kind(name));
}

/// An object of a type of the schema, made of the parameters with the names of its fields.
json::object from_params(Call& call, std::string_view type) {
  return call.synthesis().value(*schema::find_type(type), type).as_object();
}

Checked<json::object> location(Call& call) {
  json::object content;
  content["location"] = from_params(call, "Location");
  return content;
}

Checked<json::object> venue(Call& call) {
  json::object content;
  json::object place = from_params(call, "Venue");
  place["location"] = from_params(call, "Location");
  content["location"] = place["location"];
  content["venue"] = std::move(place);
  return content;
}

Checked<json::object> contact(Call& call) {
  json::object content;
  content["contact"] = from_params(call, "Contact");
  return content;
}

Checked<json::object> dice(Call& call) {
  constexpr std::string_view usual = "\xF0\x9F\x8E\xB2";
  json::object content;
  json::object thrown;
  const std::string_view emoji = call.text("emoji");
  thrown["emoji"] = json_text(emoji.empty() ? usual : emoji);
  thrown["value"] = 1 + call.date() % 5;
  content["dice"] = std::move(thrown);
  return content;
}

Checked<json::object> game(Call& call) {
  json::object content;
  json::object shown = from_params(call, "Game");
  shown["title"] = json_text(call.text("game_short_name"));
  content["game"] = std::move(shown);
  return content;
}

Checked<json::object> invoice(Call& call) {
  std::int64_t total = 0;
  for (const json::value& price : parse_array(call.text("prices")).value_or(json::array())) {
    total += number_in(price.as_object(), "amount");
  }
  json::object content;
  json::object shown = from_params(call, "Invoice");
  shown["start_parameter"] = json_text(call.text("start_parameter"));
  shown["total_amount"] = total;
  content["invoice"] = std::move(shown);
  return content;
}

/// What the message does not show is kept for the payment.
Answer send_invoice(Call& call) {
  const std::int64_t before = call.world.messages.last_id(call.bot_id(), call.number("chat_id"));
  const Answer answer = send<invoice>(call);
  const std::int64_t after = call.world.messages.last_id(call.bot_id(), call.number("chat_id"));
  if (answer.status() != 200 || after == before) return answer;
  json::object terms;
  terms["payload"] = json_text(call.text("payload"));
  terms["is_flexible"] = call.params.flag("is_flexible");
  terms["needs_address"] = call.params.flag("need_shipping_address");
  call.world.invoices[World::Place(call.bot_id(), call.number("chat_id"), after)] = std::move(terms);
  return answer;
}

Checked<json::object> poll(Call& call) {
  const std::optional<json::array> options = parse_array(call.text("options"));
  if (!options || options->empty()) return Refusal("poll must have at least 1 option");
  json::array shown_options;
  for (const json::value& option : *options) {
    json::object shown;
    shown["persistent_id"] = std::to_string(shown_options.size());
    const json::object* said = option.if_object();
    shown["text"] = said == nullptr ? option : said->at("text");
    shown["voter_count"] = 0;
    shown_options.push_back(std::move(shown));
  }
  json::object content;
  json::object shown = from_params(call, "Poll");
  shown["id"] = std::to_string(5'000'000'000'000'000'000 + call.world.messages.next_id(0, 0));
  shown["options"] = std::move(shown_options);
  shown["total_voter_count"] = 0;
  shown["is_closed"] = call.params.flag("is_closed");
  shown["is_anonymous"] = call.text("is_anonymous").empty() || call.params.flag("is_anonymous");
  const std::string_view type = call.text("type");
  shown["type"] = json_text(type.empty() ? "regular" : type);
  content["poll"] = std::move(shown);
  return content;
}

Checked<json::object> checklist(Call& call) {
  const std::optional<json::object> given = parse_object(call.text("checklist"));
  json::object content;
  if (given) content["checklist"] = *given;
  return content;
}

Checked<json::object> rich_message(Call& call) {
  json::object content;
  content["rich_message"] = from_params(call, "RichMessage");
  return content;
}

Checked<json::object> paid_media(Call& call) {
  json::object paid;
  paid["star_count"] = call.number("star_count");
  json::array shown;
  for (const json::value& item : parse_array(call.text("media")).value_or(json::array())) {
    const std::string_view name = string_in(item.as_object(), "type");
    const MediaKind* kind = find_media_kind(name);
    if (kind == nullptr) return Refusal("can't parse media: Field \"type\" has an unsupported value");
    const Checked<FileRecord*> file = take_file(call, *kind, string_in(item.as_object(), "media"), "media");
    if (!file) return file.error();
    json::object entry;
    entry["type"] = json_text(name);
    entry[json_view(name)] = media_object(*kind, **file, call.params, call.now);
    shown.push_back(std::move(entry));
  }
  paid["paid_media"] = std::move(shown);
  Checked<json::object> content = caption_content(call);
  if (!content) return content;
  (*content)["paid_media"] = std::move(paid);
  return content;
}

/// One message for each, with one media_group_id.
Answer send_media_group(Call& call) {
  const json::array items = parse_array(call.text("media")).value_or(json::array());
  if (items.size() < 2) return Refusal("group of 2-10 media expected").answer();
  if (items.size() > 10) return Refusal("too many messages to send as an album").answer();
  const Checked<std::int64_t> chat = find_writable_chat(call);
  if (!chat) return chat.error().answer();
  std::vector<json::object> contents;
  for (const json::value& value : items) {
    const json::object& item = value.as_object();
    const MediaKind* kind = find_media_kind(string_in(item, "type"));
    if (kind == nullptr)
      return Refusal("can't parse media: Field \"type\" has an unsupported value").answer();
    telegram::Params own;
    for (const auto& member : item) {
      const json::string* said = member.value().if_string();
      own.add(std::string(member.key()),
              said == nullptr ? json::serialize(member.value()) : std::string(*said));
    }
    const Checked<FileRecord*> file = take_file(call, *kind, string_in(item, "media"), "media");
    if (!file) return file.error().answer();
    const Call for_caption(call.bot, call.world, own, call.spec, call.now);
    Checked<json::object> content = caption_content(for_caption);
    if (!content) return content.error().answer();
    (*content)[json_view(kind->name)] = media_object(*kind, **file, own, call.now);
    contents.push_back(*std::move(content));
  }
  json::array sent;
  json::value group;
  for (json::object& content : contents) {
    Checked<json::object> message = begin_message(call, *chat);
    if (!message) return message.error().answer();
    if (group.is_null()) group = "1" + std::to_string(number_in(*message, "message_id"));
    content["media_group_id"] = group;
    sent.push_back(keep_message(call, *chat, *std::move(message), std::move(content)));
  }
  return answer_with(sent);
}

constexpr std::array methods = {
    NamedMethod("sendMessage", send<text>),
    NamedMethod("sendAnimation", send<media>),
    NamedMethod("sendAudio", send<media>),
    NamedMethod("sendDocument", send<media>),
    NamedMethod("sendLivePhoto", send<media>),
    NamedMethod("sendPhoto", send<media>),
    NamedMethod("sendSticker", send<media>),
    NamedMethod("sendVideo", send<media>),
    NamedMethod("sendVideoNote", send<media>),
    NamedMethod("sendVoice", send<media>),
    NamedMethod("sendLocation", send<location>),
    NamedMethod("sendVenue", send<venue>),
    NamedMethod("sendContact", send<contact>),
    NamedMethod("sendDice", send<dice>),
    NamedMethod("sendGame", send<game>),
    NamedMethod("sendInvoice", send_invoice),
    NamedMethod("sendPoll", send<poll>),
    NamedMethod("sendChecklist", send<checklist>),
    NamedMethod("sendRichMessage", send<rich_message>),
    NamedMethod("sendPaidMedia", send<paid_media>),
    NamedMethod("sendMediaGroup", send_media_group),
};

}  // namespace

std::span<const NamedMethod> send_methods() noexcept {
  return methods;
}

}  // namespace tgkeep::emulator
