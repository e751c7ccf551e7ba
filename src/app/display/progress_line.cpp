#include "app/display/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/display/amounts.hpp"
#include "app/display/safe_text.hpp"
#include "app/display/terminal.hpp"

namespace tgkeep::app {

namespace {

constexpr std::chrono::milliseconds kBetween{100};
constexpr std::size_t kBar = 30;

std::string bar(std::uint64_t done, std::uint64_t all) {
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  const auto full = static_cast<std::size_t>(share * kBar);
  return fmt::format("[{}{}] {:3.0f} %", std::string(full, '#'), std::string(kBar - full, ' '), share * 100);
}

}  // namespace

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)), shown_(stderr_is_terminal()) {}

ProgressLine::~ProgressLine() {
  if (columns_ > 0) fmt::print(stderr, "\r{}\r", std::string(columns_, ' '));
}

void ProgressLine::show(std::uint64_t done, std::uint64_t all, const std::string& remark) {
  if (!is_due()) return;
  std::string text = what_ + " ";
  text += all > 0 ? bar(done, all) : std::to_string(done);
  if (!remark.empty()) text += "  " + remark;
  draw(text);
}

void ProgressLine::show() {
  if (!is_due()) return;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begun_;
  draw(what_ + " …  " + age_text(since.count()));
}

bool ProgressLine::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - drawn_ < kBetween) return false;
  drawn_ = now;
  return true;
}

void ProgressLine::draw(const std::string& text) {
  const std::size_t columns = columns_of(text);
  const std::size_t blanks = columns_ > columns ? columns_ - columns : 0;
  fmt::print(stderr, "\r{}{}", text, std::string(blanks, ' '));
  std::fflush(stderr);
  columns_ = columns;
}

}  // namespace tgkeep::app
