#pragma once
// Reads the TOML file into keys and texts; the table of settings knows what they mean.

#include <cstdint>
#include <string>
#include <tgkeep/error.hpp>
#include <vector>

namespace tgkeep::app {

/// One assignment of the file: lists as words separated by commas.
class FileEntry {
 public:
  FileEntry(std::string key, std::string text, std::uint32_t line)
      : key(std::move(key)), text(std::move(text)), line(line) {}
  std::string key;
  std::string text;
  std::uint32_t line;
  bool usable = true;  ///< false: a kind of value that no setting takes, such as a date
};

/// bad_config when the file can't be read or is not TOML.
Result<std::vector<FileEntry>> read_config_file(const std::string& path);

}  // namespace tgkeep::app
