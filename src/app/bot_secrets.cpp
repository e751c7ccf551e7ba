#include "app/bot_secrets.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "app/config_checks.hpp"
#include "source/webhook.hpp"
#include "telegram/api_client.hpp"

namespace tgkeep::app {

namespace {

using Environment = std::map<std::string, std::string>;

std::string trimmed(std::string text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.erase(text.find_last_not_of(kSpace) + 1);
  text.erase(0, std::min(text.find_first_not_of(kSpace), text.size()));
  return text;
}

std::string variable_words(const std::string& variable, std::string_view setting) {
  if (!variable.empty()) return "into the variable " + variable;
  return "into a variable named by " + std::string(setting);
}

Result<void> add_secrets(const BotConfig& bot, const Environment& environment, BotOptions& options) {
  const Result<std::string> token = read_token(bot, environment);
  if (token.has_error()) return token.error();
  options.token = *token;
  if (options.webhook) {
    Result<std::vector<std::string>> secrets = webhook_secrets(bot, environment);
    if (secrets.has_error()) return secrets.error();
    options.webhook->secrets = std::move(*secrets);
  }
  if (options.push) {
    const Result<std::string> secret = push_secret(bot, environment);
    if (secret.has_error()) return secret.error();
    options.push->secret = *secret;
  }
  return Result<void>();
}

}  // namespace

std::string about(const BotConfig& bot, std::string sentence) {
  return bot.name.empty() ? std::move(sentence) : "bot " + bot.name + ": " + sentence;
}

Result<std::string> read_secret(const std::string& variable, const std::string& file,
                                std::string_view file_setting,
                                const std::map<std::string, std::string>& environment) {
  const auto found = environment.find(variable);
  if (!variable.empty() && found != environment.end()) {
    std::string text = trimmed(found->second);
    if (!text.empty()) return text;
  }
  if (file.empty()) return std::string();
  std::ifstream stream(file);
  std::string text = trimmed({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
  if (text.empty()) {
    return Error(Errc::bad_config,
                 std::string(file_setting) + ": " + file +
                     " can't be read or is empty; it must hold the secret and nothing else");
  }
  return text;
}

Result<std::string> read_token(const BotConfig& bot, const Environment& environment) {
  Result<std::string> token = read_secret(bot.token_env, bot.token_file, "token_file", environment);
  if (token.has_error()) return token;
  if (!token->empty()) {
    const Result<telegram::Token> parsed = telegram::Token::parse(*token);
    if (parsed.has_error()) return parsed.error();
    return token;
  }
  return Error(Errc::bad_config, "no bot token: put the one from @BotFather " +
                                     variable_words(bot.token_env, "token_env") +
                                     ", or into a file and name that with token_file");
}

Result<std::vector<std::string>> webhook_secrets(const BotConfig& bot,
                                                 const std::map<std::string, std::string>& environment) {
  const Result<std::string> text =
      read_secret(bot.webhook_secret_env, bot.webhook_secret_file, "webhook.secret_file", environment);
  if (text.has_error()) return text.error();
  std::vector<std::string> secrets;
  std::istringstream words(*text);
  for (std::string word; words >> word;) secrets.push_back(word);
  if (secrets.empty()) {
    return Error(Errc::bad_config,
                 "no secret for the webhook, so anybody could send it updates: put 1-256 characters of A-Z, "
                 "a-z, 0-9, _ and - " +
                     variable_words(bot.webhook_secret_env, "webhook.secret_env") +
                     ", or into a file and name that with webhook.secret_file; give Telegram the same, or "
                     "set webhook.own");
  }
  source::WebhookOptions candidate{BotId()};
  candidate.secrets = secrets;
  const Result<void> checked = source::check_options(candidate);
  if (checked.has_error()) return checked.error();
  return secrets;
}

Result<std::string> push_secret(const BotConfig& bot, const Environment& environment) {
  Result<std::string> secret =
      read_secret(bot.push_secret_env, bot.push_secret_file, "push.secret_file", environment);
  if (secret.has_value() && secret->find_first_of(" \t\r\n") != std::string::npos) {
    return Error(Errc::bad_config, "the secret of the push holds blanks or lines: it must be one word");
  }
  return secret;
}

Result<std::string> folder_of(const BotConfig& bot, const Environment& environment) {
  if (bot.own_folder) return bot.options.folder;
  const Result<std::string> token = read_token(bot, environment);
  if (token.has_error()) return token.error();
  const Result<telegram::Token> parsed = telegram::Token::parse(*token);
  if (parsed.has_error()) return parsed.error();
  return bot.options.folder + "/" + std::to_string(parsed->bot(bot.options.test_environment).value());
}

Result<std::vector<BotOptions>> bots_to_run(const Config& config, const Environment& environment) {
  std::vector<BotOptions> bots;
  std::map<std::string, std::string> owner;
  for (const BotConfig& bot : config.all_bots()) {
    BotOptions options = options_of(bot);
    const Result<void> added = add_secrets(bot, environment, options);
    if (added.has_error()) return Error(added.error().code(), about(bot, added.error().text()));
    const Result<std::string> folder = folder_of(bot, environment);
    if (folder.has_error()) return Error(folder.error().code(), about(bot, folder.error().text()));
    options.folder = *folder;
    const std::string id = options.token.substr(0, options.token.find(':'));
    const auto [same, is_new] = owner.emplace(id + (options.test_environment ? " test" : ""), bot.name);
    if (!is_new) {
      return Error(Errc::bad_config, about(bot, "has the token of bot " + same->second +
                                                    ": one bot can't be received twice; drop one of them"));
    }
    bots.push_back(std::move(options));
  }
  return bots;
}

}  // namespace tgkeep::app
