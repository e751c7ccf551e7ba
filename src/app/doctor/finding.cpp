#include "app/doctor/finding.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "app/display/safe_text.hpp"
#include "app/display/terminal.hpp"

namespace tgkeep::app {

namespace {

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return Tone::good;
    case Verdict::warning:
      return Tone::attention;
    case Verdict::bad:
      return Tone::bad;
    case Verdict::skipped:
      break;
  }
  return Tone::faint;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  if (columns < width) text.append(width - columns, ' ');
  return text;
}

std::string title_of(const Finding& finding) {
  return safe_text(finding.bot.empty() ? finding.check : finding.bot + ": " + finding.check);
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::warning:
      return "warning";
    case Verdict::bad:
      return "bad";
    case Verdict::skipped:
      break;
  }
  return "skipped";
}

void Findings::ok(std::string check, std::string text) {
  all_.emplace_back(std::move(check), bot_, Verdict::ok, std::move(text), "");
}

void Findings::skipped(std::string check, std::string why) {
  all_.emplace_back(std::move(check), bot_, Verdict::skipped, std::move(why), "");
}

void Findings::warning(std::string check, std::string text, std::string remedy) {
  all_.emplace_back(std::move(check), bot_, Verdict::warning, std::move(text), std::move(remedy));
}

void Findings::bad(std::string check, std::string text, std::string remedy) {
  all_.emplace_back(std::move(check), bot_, Verdict::bad, std::move(text), std::move(remedy));
}

Verdict Findings::worst() const {
  Verdict worst = Verdict::ok;
  for (const Finding& finding : all_) {
    if (finding.verdict == Verdict::bad) return Verdict::bad;
    if (finding.verdict == Verdict::warning) worst = Verdict::warning;
  }
  return worst;
}

std::string Findings::json() const {
  namespace json = boost::json;
  json::array checks;
  for (const Finding& finding : all_) {
    json::object shown;
    shown["check"] = finding.check;
    shown["bot"] = safe_text(finding.bot);
    shown["verdict"] = to_string(finding.verdict);
    shown["text"] = safe_text(finding.text);
    shown["remedy"] = safe_text(finding.remedy);
    checks.push_back(std::move(shown));
  }
  json::object report;
  report["verdict"] = to_string(worst());
  report["checks"] = std::move(checks);
  return json::serialize(report);
}

std::string Findings::text() const {
  std::size_t width = 0;
  for (const Finding& finding : all_) width = std::max(width, columns_of(title_of(finding)));
  constexpr std::size_t kVerdict = 7;
  std::string report;
  for (const Finding& finding : all_) {
    report += toned(tone_of(finding.verdict), padded(std::string(to_string(finding.verdict)), kVerdict)) +
              "  " + padded(title_of(finding), width) + "  " + safe_text(finding.text) + "\n";
    if (!finding.remedy.empty()) {
      report += std::string(kVerdict + width + 4, ' ') + "→ " + safe_text(finding.remedy) + "\n";
    }
  }
  return report;
}

}  // namespace tgkeep::app
