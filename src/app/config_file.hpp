#pragma once
// Reads the TOML file into keys and texts; the table of settings knows what they mean.

#include <cstddef>
#include <cstdint>
#include <optional>
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
  bool usable = true;              ///< false: a kind of value that no setting takes, such as a date
  std::optional<std::size_t> bot;  ///< in which [[bot]] it stands, from 0
};

class ConfigFile {
 public:
  ConfigFile() = default;
  std::vector<FileEntry> entries;
  std::vector<std::uint32_t> bots;  ///< the line of each [[bot]]
};

/// bad_config when the file can't be read or is not TOML.
Result<ConfigFile> read_config_file(const std::string& path);

}  // namespace tgkeep::app
