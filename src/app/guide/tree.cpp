#include "app/guide/tree.hpp"

#include <algorithm>
#include <cctype>

namespace tgkeep::app {

namespace {

/// The words of `{inbox,outbox}` in a type name; empty when there are none.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t open = type.find('{');
  const std::size_t close = open == std::string::npos ? open : type.find('}', open);
  if (close == std::string::npos) return choices;
  std::string list = type.substr(open + 1, close - open - 1);
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    choices.push_back(list.substr(0, comma));
    list.erase(0, std::min(comma + 1, list.size()));
  }
  return choices;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

GuideOption read_option(const CLI::Option& option) {
  GuideOption read;
  for (const std::string& name : option.get_snames()) read.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) read.names.push_back("--" + name);
  read.help = option.get_description();
  read.environment = option.get_envname();
  read.by_default = option.get_default_str();
  read.required = option.get_required();
  read.repeated = option.get_items_expected_max() > 1;
  if (option.get_items_expected_max() == 0) return read;
  const std::string type = option.get_type_name();
  read.choices = choices_in(type);
  read.value = type.substr(0, type.find_first_of(":{ "));
  // CLI11's own words for kinds of values tell nobody anything.
  const bool says_nothing = read.value.empty() || read.value == "TEXT" || read.value == "INT" ||
                            read.value == "UINT" || read.value == "FLOAT";
  if (!read.choices.empty() || says_nothing) {
    read.value = upper(read.names.empty() ? option.get_name(true) : read.names.back().substr(2));
  }
  read.kind = ValueKind::text;
  if (!read.choices.empty()) read.kind = ValueKind::choice;
  if (read.value == "FILE" || read.value == "PATH") read.kind = ValueKind::file;
  if (read.value == "FOLDER") read.kind = ValueKind::folder;
  return read;
}

}  // namespace

GuideCommand read_tree(const CLI::App& app) {
  GuideCommand command;
  command.name = app.get_name();
  command.aliases = app.get_aliases();
  command.help = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    GuideOption read = read_option(*option);
    if (read.names.empty()) {
      command.positionals.push_back(std::move(read));
    } else {
      command.options.push_back(std::move(read));
    }
  }
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!below->get_group().empty()) command.below.push_back(read_tree(*below));
  }
  return command;
}

}  // namespace tgkeep::app
