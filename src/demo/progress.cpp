#include "demo/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace tgkeep::demo {

namespace {

using std::chrono::milliseconds;

constexpr Duration redraw = milliseconds(200);
constexpr Duration plain_pause = std::chrono::seconds(2);

std::string tenths(Duration duration) {
  const std::int64_t count = std::chrono::duration_cast<milliseconds>(duration).count() / 100;
  return std::to_string(count / 10) + '.' + std::to_string(count % 10);
}

}  // namespace

std::string to_line(const Progress& progress) {
  return "received " + std::to_string(progress.received) + "  stored " + std::to_string(progress.stored) +
         "  handled " + std::to_string(progress.handled) + "/" + std::to_string(progress.updates) +
         "  running " + std::to_string(progress.running) + "  backlog " +
         std::to_string(progress.stored - progress.handled) + "  " + std::to_string(progress.rate) +
         "/s  oldest " + tenths(progress.oldest) + " s  kills " + std::to_string(progress.kills);
}

LiveLine::LiveLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

LiveLine::~LiveLine() {
  clear();
}

bool LiveLine::is_due(MonoTime now) const {
  return !shown_ || now - *shown_ >= (terminal_ ? redraw : plain_pause);
}

void LiveLine::show(Progress progress, MonoTime now) {
  if (shown_ && now > *shown_) {
    const double seconds = std::chrono::duration<double>(now - *shown_).count();
    progress.rate =
        static_cast<std::int64_t>(static_cast<double>(progress.handled - handled_then_) / seconds);
  }
  shown_ = now;
  handled_then_ = progress.handled;
  clear();
  std::fputs(to_line(progress).c_str(), stderr);
  if (!terminal_) std::fputc('\n', stderr);
  std::fflush(stderr);
  drawn_ = terminal_;
}

void LiveLine::say(const std::string& text) {
  clear();
  std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
}

void LiveLine::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace tgkeep::demo
