#pragma once
// Aligned columns for people.

#include <cstddef>
#include <string>
#include <vector>

#include "app/display/terminal.hpp"

namespace tgkeep::app {

/// One cell: safe text (it is made safe here) and its tone.
class Cell {
 public:
  Cell(std::string text, Tone tone = Tone::plain);  // NOLINT(google-explicit-constructor): rows read as lists
  Cell(const char* text) : Cell(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  std::string text;
  Tone tone;
};

enum class Align { left, right };

/// Columns are as wide as their widest cell, two blanks apart; the last one is cut at the terminal's edge, so
/// that a row is a line. Columns without any text are left out.
class Table {
 public:
  void column(std::string title, Align align = Align::left);
  void row(std::vector<Cell> cells);
  /// With titles; a line each, all with a line break. `width` 0: as long as it gets.
  std::string text(std::size_t width = terminal_columns()) const;

 private:
  class Column {
   public:
    Column(std::string title, Align align) : title(std::move(title)), align(align) {}
    std::string title;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace tgkeep::app
