#pragma once
// The entities that are open at a place of a marked-up text, innermost last.

#include <string>
#include <string_view>
#include <vector>

#include "emulator/text/formatted_text.hpp"

namespace tgkeep::emulator {

class OpenEntity {
 public:
  OpenEntity(std::string mark, json::object entity, std::size_t byte)
      : mark(std::move(mark)), entity(std::move(entity)), byte(byte) {}
  std::string mark;     ///< what must close it
  json::object entity;  ///< without its length
  std::size_t byte;     ///< where it was opened, in the source
};

/// Collects the text and its entities.
class OpenEntities {
 public:
  void add(std::string_view text) {
    offset_ += utf16_length(text);
    done_.text.append(text);
  }
  void open(std::string_view mark, std::string_view type, std::size_t byte) {
    open_.emplace_back(std::string(mark), make_entity(type, offset_, 0), byte);
  }
  bool empty() const noexcept { return open_.empty(); }
  OpenEntity& last() noexcept { return open_.back(); }
  /// Empty ones are left out.
  void close_last();
  std::size_t offset() const noexcept { return offset_; }
  /// Sorted by offset, longer ones first.
  FormattedText take();

 private:
  FormattedText done_;
  std::size_t offset_ = 0;
  std::vector<OpenEntity> open_;
};

/// `Bad Request: can't parse entities: …`
Refusal bad_entities(std::string_view words);

}  // namespace tgkeep::emulator
