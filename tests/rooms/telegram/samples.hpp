#pragma once
// The sample updates of botapi/samples, by name.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace tgkeep::test {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

inline const std::map<std::string, std::string>& samples() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(TGKEEP_SOURCE_DIR "/botapi/samples")) {
      found.emplace(entry.path().stem().string(), read_file(entry.path()));
    }
    return found;
  }();
  return all;
}

}  // namespace tgkeep::test
