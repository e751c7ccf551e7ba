#include "app/start_checks.hpp"

#include <algorithm>

#include "app/admin_settings.hpp"
#include "app/bot_secrets.hpp"
#include "app/config_checks.hpp"
#include "app/face_settings.hpp"
#include "app/wiring.hpp"
#include "http/tls_context.hpp"
#include "source/webhook_calls.hpp"

namespace tgkeep::app {

StartChecks::StartChecks(const Config& config, const std::map<std::string, std::string>& environment)
    : config_(config), environment_(environment) {
  for (const BotConfig& bot : config.all_bots()) {
    check_secrets(bot);
    check_files(bot);
  }
  check_admin_token();
  check_tls();
  if (!wrong.empty() || !missing.empty()) return;
  // What only shows when all are there: two bots with one token.
  const Result<std::vector<BotOptions>> bots = bots_to_run(config, environment);
  if (bots.has_error()) wrong.emplace_back("token", bots.error().text());
}

/// `held` is what was found before it was looked at more closely, which led to `error`.
void StartChecks::judge(const char* what, const BotConfig& bot, const Result<std::string>& held,
                        const Error& error) {
  const bool is_missing = held.has_value() && held->empty();
  (is_missing ? missing : wrong).emplace_back(what, about(bot, error.text()));
}

void StartChecks::check_secrets(const BotConfig& bot) {
  const Result<std::string> token = read_token(bot, environment_);
  if (token.has_error()) {
    judge("token", bot, read_secret(bot.token_env, bot.token_file, "token_file", environment_),
          token.error());
  }
  if (bot.source == SourceKind::webhook) {
    const Result<std::vector<std::string>> of_webhook = webhook_secrets(bot, environment_);
    if (of_webhook.has_error()) {
      judge("webhook secret", bot,
            read_secret(bot.webhook_secret_env, bot.webhook_secret_file, "webhook.secret_file", environment_),
            of_webhook.error());
    }
  }
  if (bot.handler == HandlerKind::push) {
    const Result<std::string> of_push = push_secret(bot, environment_);
    if (of_push.has_error()) wrong.emplace_back("push secret", about(bot, of_push.error().text()));
  }
}

void StartChecks::check_files(const BotConfig& bot) {
  const BotOptions options = options_of(bot);
  if (!options.webhook || !options.webhook->own) return;
  const source::WebhookOptions webhook = webhook_options(BotId(), options);
  if (!webhook.registration) return;
  const Result<ApiRequest> request = source::set_webhook(*webhook.registration, "", false);
  if (request.has_error()) wrong.emplace_back("[webhook]", about(bot, request.error().text()));
}

void StartChecks::check_admin_token() {
  const Result<AdminOptions> admin = admin_to_open(config_, environment_);
  if (admin.has_error()) {
    judge("admin token", BotConfig(),
          read_secret(config_.admin.token_env, config_.admin.token_file, "admin.token_file", environment_),
          admin.error());
  }
}

void StartChecks::check_tls() {
  const auto check = [this](const char* what, const std::string& certificate, const std::string& key) {
    if (certificate.empty()) return;
    const auto loaded = http::TlsContext::load(http::TlsFiles(certificate, key));
    if (loaded.has_error()) wrong.emplace_back(what, std::string(what) + ": " + loaded.error().text());
  };
  const std::vector<BotConfig> bots = config_.all_bots();
  const bool listens = std::any_of(bots.begin(), bots.end(),
                                   [](const BotConfig& bot) { return needs_listener(options_of(bot)); });
  const ListenOptions& listen = config_.process.listen;
  if (listens) check("[listen]", listen.certificate, listen.key);
  const std::optional<FaceOptions> face = face_to_open(config_);
  if (face) check("[face]", face->certificate, face->key);
}

}  // namespace tgkeep::app
