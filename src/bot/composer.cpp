#include <algorithm>
#include <tgkeep/bot.hpp>

#include "bot/boundary.hpp"
#include "bot/command_text.hpp"
#include "bot/line.hpp"
#include "bot/reading.hpp"
#include "bot/update_fields.hpp"
#include "telegram/update_kinds.hpp"

namespace tgkeep {

namespace {

using Words = std::initializer_list<std::string_view>;

std::string joined(std::string_view what, Words words) {
  std::string text(what);
  std::string_view gap = " ";
  for (const std::string_view word : words) {
    text.append(gap).append(word);
    gap = ", ";
  }
  return text;
}

[[noreturn]] void refuse(std::string text) {
  throw Failure(Error(Errc::misuse, std::move(text)));
}

void check_kind(std::string_view kind) {
  if (telegram::find_update_kind(kind)) return;
  std::string text = "on(\"" + std::string(kind) + "\"): no such kind of update; there are";
  for (const telegram::UpdateKind& known : telegram::update_kinds()) text.append(" ").append(known.name);
  refuse(text + "; use filter for a newer one");
}

}  // namespace

Composer& Composer::add(std::string trigger, Wanted wanted, Middleware middleware) {
  std::string name = std::to_string(line_.size() + 1) + " (" + std::move(trigger) + ")";
  line_.push_back(
      std::make_shared<const bot::Step>(std::move(name), std::move(wanted), std::move(middleware)));
  return *this;
}

Composer& Composer::use(Middleware middleware) {
  return add("use", {}, std::move(middleware));
}

Composer& Composer::on(std::string_view kind, Middleware middleware) {
  return on({kind}, std::move(middleware));
}

Composer& Composer::on(Words kinds, Middleware middleware) {
  for (const std::string_view kind : kinds) check_kind(kind);
  const std::vector<std::string> wanted(kinds.begin(), kinds.end());
  auto is_wanted = [wanted](const BotContext& context) {
    return std::ranges::find(wanted, context.kind()) != wanted.end();
  };
  return add(joined("on", kinds), is_wanted, std::move(middleware));
}

Composer& Composer::command(std::string_view name, Middleware middleware) {
  return command({name}, std::move(middleware));
}

Composer& Composer::command(Words names, Middleware middleware) {
  const std::vector<bot::CommandPattern> patterns(names.begin(), names.end());
  auto is_wanted = [patterns](const BotContext& context) {
    if (!bot::is_new_message(context.kind())) return false;
    const auto command = bot::read_command(context.content());
    if (!command) return false;
    bot::Reading& reading = *context.reading_;
    const auto matches = [&](const bot::CommandPattern& pattern) {
      return pattern.matches(*command, reading.own_name);
    };
    if (!std::ranges::any_of(patterns, matches)) return false;
    reading.match = command->rest;
    return true;
  };
  return add(joined("command", names), is_wanted, std::move(middleware));
}

Composer& Composer::text(std::string_view text, Middleware middleware) {
  return this->text({text}, std::move(middleware));
}

Composer& Composer::text(Words texts, Middleware middleware) {
  const std::vector<std::string> wanted(texts.begin(), texts.end());
  for (const std::string& text : wanted) {
    if (text.empty()) refuse("text(\"\"): no message has an empty text; use on(\"message\") or filter");
  }
  auto is_wanted = [wanted](const BotContext& context) {
    return bot::is_new_message(context.kind()) && std::ranges::find(wanted, context.text()) != wanted.end();
  };
  return add(joined("text", texts), is_wanted, std::move(middleware));
}

Composer& Composer::filter(Wanted wanted, Middleware middleware) {
  if (!wanted) refuse("filter: the condition is an empty function");
  return add("filter", std::move(wanted), std::move(middleware));
}

Composer& Composer::error_boundary(BoundaryHandler handler, Composer inner) {
  const std::string name = "the error boundary at place " + std::to_string(line_.size() + 1);
  auto line = std::make_shared<const std::vector<std::shared_ptr<const bot::Step>>>(std::move(inner.line_));
  return add("error_boundary", {}, bot::make_boundary(name, std::move(handler), std::move(line)));
}

Middleware::Middleware(const Composer& composer)
    : run_([line = std::make_shared<const std::vector<std::shared_ptr<const bot::Step>>>(composer.line_)](
               BotContext context, Next next) {
        return bot::run_line(line, 0, std::move(context), std::move(next));
      }) {}

}  // namespace tgkeep
