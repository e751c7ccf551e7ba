#include "app/doctor/webhook_checks.hpp"

#include <fmt/format.h>

#include <chrono>

#include "app/display/amounts.hpp"
#include "app/display/bot_words.hpp"
#include "http/web_look.hpp"
#include "source/webhook_info.hpp"

namespace tgkeep::app {

namespace {

constexpr std::chrono::hours kSoon{24 * 14};

void judge_certificate(Findings& findings, std::optional<WallTime> until) {
  if (!until) {
    findings.skipped("certificate", "its end is not known");
    return;
  }
  const auto left = *until - wall_now();
  const std::string text = fmt::format("trusted, holds until {} ({})", moment_text(*until),
                                       age_text(std::chrono::duration<double>(left).count()));
  if (left < kSoon) {
    findings.warning("certificate", text,
                     "renew it, and see that whatever renews it (certbot, acme.sh) works");
  } else {
    findings.ok("certificate", text);
  }
}

}  // namespace

void check_webhook_url(Findings& findings, const BotConfig& bot, const std::string& url) {
  const http::WebLook look = http::look_at(url, bot.webhook.certificate_file, std::chrono::seconds(15));
  if (look.status == 0 && look.bad_certificate) {
    findings.bad(
        "certificate", look.trouble,
        "serve the whole chain (fullchain.pem), for this name and still valid; a self-signed one goes into "
        "webhook.certificate");
  } else if (look.status == 0) {
    findings.warning(
        "webhook URL", look.trouble,
        "see that the name, the firewall and the proxy lead here; from inside the own network it may also "
        "be that only the way back is shut");
  } else if (look.status >= 500) {
    findings.bad(
        "webhook URL",
        fmt::format("{} answers {}: the proxy does not reach tgkeep", source::host_of(url), look.status),
        "see that tgkeep runs and that the proxy passes requests to listen.address and listen.port");
  } else {
    findings.ok("webhook URL", source::host_of(url) + " can be reached from here");
  }
  if (look.status != 0 && url.starts_with("https://")) judge_certificate(findings, look.certificate_until);
}

}  // namespace tgkeep::app
