#pragma once
// What the doctor found: a verdict for each thing it looked at, with a remedy where one is needed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tgkeep::app {

enum class Verdict : std::uint8_t { ok, skipped, warning, bad };
std::string_view to_string(Verdict verdict) noexcept;

class Finding {
 public:
  Finding(std::string check, std::string bot, Verdict verdict, std::string text, std::string remedy)
      : check(std::move(check)),
        bot(std::move(bot)),
        verdict(verdict),
        text(std::move(text)),
        remedy(std::move(remedy)) {}
  std::string check;  ///< what was looked at, in one or two words: `disk speed`
  std::string bot;    ///< whose it is; "" = the machine's, or the only bot's
  Verdict verdict;
  std::string text;    ///< what was found; never a token
  std::string remedy;  ///< "" when nothing needs to be done
};

class Findings {
 public:
  /// Of whom the next ones are.
  void about(std::string bot) { bot_ = std::move(bot); }
  void ok(std::string check, std::string text);
  void skipped(std::string check, std::string why);
  void warning(std::string check, std::string text, std::string remedy);
  void bad(std::string check, std::string text, std::string remedy);

  const std::vector<Finding>& all() const { return all_; }
  Verdict worst() const;
  /// `{"verdict", "checks": [{"check", "bot", "verdict", "text", "remedy"}]}`.
  std::string json() const;
  /// A line for each, remedies below.
  std::string text() const;

 private:
  std::string bot_;
  std::vector<Finding> all_;
};

}  // namespace tgkeep::app
