#include "app/guide/roff.hpp"

#include <algorithm>

namespace tgkeep::app {

std::string roff(std::string_view text) {
  std::string safe;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && c == '.') safe += "\\&";
    at_start = c == '\n';
    switch (c) {
      case '\\':
        safe += "\\e";
        break;
      case '-':
        safe += "\\-";
        break;
      case '\'':
        safe += "\\(aq";
        break;
      case '`':
        safe += "\\(ga";
        break;
      case '^':
        safe += "\\(ha";
        break;
      case '~':
        safe += "\\(ti";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string roff_with_examples(std::string_view text) {
  std::string out;
  bool example = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool indented = line.starts_with("  ");
    if (indented != example) out += indented ? ".PP\n.RS 4\n.nf\n" : ".fi\n.RE\n.PP\n";
    example = indented;
    if (indented) line.remove_prefix(2);
    out += line.empty() ? ".PP\n" : roff(line) + "\n";
  }
  if (example) out += ".fi\n.RE\n";
  return out;
}

}  // namespace tgkeep::app
