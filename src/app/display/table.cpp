#include "app/display/table.hpp"

#include <algorithm>

#include "app/display/safe_text.hpp"

namespace tgkeep::app {

namespace {

constexpr std::size_t kBetween = 2;
// A cell below this is no help any more.
constexpr std::size_t kLeast = 12;

}  // namespace

Cell::Cell(std::string text, Tone tone) : text(safe_text(text)), tone(tone) {}

void Table::column(std::string title, Align align) {
  columns_.emplace_back(std::move(title), align);
}

void Table::row(std::vector<Cell> cells) {
  while (cells.size() < columns_.size()) cells.emplace_back("");
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::size_t width) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const std::vector<Cell>& row : rows_) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      widths[i] = std::max(widths[i], columns_of(row[i].text));
    }
  }
  std::size_t last = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (widths[i] == 0) continue;
    widths[i] = std::max(widths[i], columns_of(columns_[i].title));
    last = i;
  }

  std::string all;
  const auto line = [&](const auto& cell_of) {
    std::string text;
    std::size_t used = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (widths[i] == 0) continue;
      Cell cell = cell_of(i);
      if (i == last && width > 0 && columns_[i].align == Align::left) {
        cell.text = cut_to(cell.text, std::max(kLeast, width > used ? width - used : 0));
      }
      const std::size_t columns = columns_of(cell.text);
      const std::string blanks(widths[i] > columns ? widths[i] - columns : 0, ' ');
      if (columns_[i].align == Align::right) text += blanks;
      text += toned(cell.tone, cell.text);
      if (i == last) break;
      if (columns_[i].align == Align::left) text += blanks;
      text.append(kBetween, ' ');
      used += widths[i] + kBetween;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    all += text + "\n";
  };
  line([this](std::size_t i) { return Cell(columns_[i].title, Tone::faint); });
  for (const std::vector<Cell>& row : rows_) {
    line([&row](std::size_t i) { return row[i]; });
  }
  return all;
}

}  // namespace tgkeep::app
