#include "app/config_file.hpp"

#include <toml++/toml.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace tgkeep::app {

namespace {

std::optional<std::string> scalar(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return std::nullopt;
}

std::optional<std::string> value_text(const toml::node& node) {
  const auto* list = node.as_array();
  if (list == nullptr) return scalar(node);
  std::string joined;
  for (const toml::node& element : *list) {
    const auto word = scalar(element);
    if (!word) return std::nullopt;
    joined += (joined.empty() ? "" : ",") + *word;
  }
  return joined;
}

void collect(const toml::table& table, const std::string& prefix, std::optional<std::size_t> bot,
             ConfigFile& file) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const auto* inner = node.as_table()) {
      collect(*inner, key + ".", bot, file);
      continue;
    }
    const auto text = value_text(node);
    FileEntry& entry = file.entries.emplace_back(key, text.value_or(""), node.source().begin.line);
    entry.usable = text.has_value();
    entry.bot = bot;
  }
}

/// Takes the [[bot]] tables out of the file's top.
void collect_bots(toml::table& top, ConfigFile& file) {
  toml::array* const tables = top["bot"].as_array();
  if (tables == nullptr || !tables->is_homogeneous<toml::table>() || tables->empty()) return;
  for (const toml::node& node : *tables) {
    file.bots.push_back(node.source().begin.line);
    collect(*node.as_table(), "", file.bots.size() - 1, file);
  }
  top.erase("bot");
}

}  // namespace

Result<ConfigFile> read_config_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad()) {
    return Error(Errc::bad_config, path + ": can't be read (" + std::strerror(errno) +
                                       "); give an existing TOML file to --config");
  }
  try {
    toml::table top = toml::parse(text, path);
    ConfigFile contents;
    collect_bots(top, contents);
    collect(top, "", std::nullopt, contents);
    return contents;
  } catch (const toml::parse_error& error) {
    return Error(Errc::bad_config, path + ":" + std::to_string(error.source().begin.line) +
                                       ": not TOML: " + std::string(error.description()));
  }
}

}  // namespace tgkeep::app
