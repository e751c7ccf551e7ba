#include "app/admin_settings.hpp"

#include <sys/un.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "app/bot_secrets.hpp"
#include "app/listen_place.hpp"

namespace tgkeep::app {

namespace {

constexpr std::size_t kMaxSocketPath = sizeof(sockaddr_un::sun_path) - 1;
constexpr std::size_t kMinToken = 32;

using Place = std::pair<std::string, std::uint16_t>;

bool has_folder(const BotConfig& bot) {
  return !bot.options.in_memory;
}

}  // namespace

std::string admin_socket(const Config& config) {
  const std::string& socket = config.admin.socket;
  if (socket == "off") return "";
  if (!socket.empty()) return socket;
  const std::vector<BotConfig> bots = config.all_bots();
  if (std::none_of(bots.begin(), bots.end(), has_folder)) return "";
  return config.bot.options.folder + "/admin.sock";
}

std::optional<Place> admin_place(const Config& config) {
  return read_place(config.admin.listen);
}

std::vector<std::string> check_admin(const Config& config) {
  std::vector<std::string> problems;
  const std::string socket = admin_socket(config);
  if (socket.size() > kMaxSocketPath) {
    problems.push_back("admin.socket: the path " + socket + " has " + std::to_string(socket.size()) +
                       " characters, a socket's at most " + std::to_string(kMaxSocketPath) +
                       ": name a shorter one, such as /run/tgkeep/admin.sock, or say off");
  }
  const std::string& listen = config.admin.listen;
  if (!listen.empty() && !read_place(listen)) {
    problems.push_back("admin.listen: \"" + listen +
                       "\" is no address and port: write 127.0.0.1:9480, or [::1]:9480");
  }
  return problems;
}

Result<AdminOptions> admin_to_open(const Config& config,
                                   const std::map<std::string, std::string>& environment) {
  const std::vector<std::string> problems = check_admin(config);
  if (!problems.empty()) return Error(Errc::bad_config, problems.front());
  AdminOptions options;
  options.socket = admin_socket(config);
  options.hosts = config.admin.hosts;
  options.max_age = config.admin.max_age;
  const std::optional<Place> place = read_place(config.admin.listen);
  if (!place) return options;
  options.address = place->first;
  options.port = place->second;
  const Result<std::string> token =
      read_secret(config.admin.token_env, config.admin.token_file, "admin.token_file", environment);
  if (token.has_error()) return token.error();
  if (token->size() < kMinToken || token->find_first_of(" \t\r\n") != std::string::npos) {
    const std::string what = token->empty() ? "there is none" : "the one there is too short, or not one word";
    return Error(Errc::bad_config,
                 "admin.listen needs a token of at least " + std::to_string(kMinToken) + " characters, and " +
                     what + ": make one with `openssl rand -hex 32` and put it into the variable " +
                     (config.admin.token_env.empty() ? "named by admin.token_env" : config.admin.token_env) +
                     ", or into a file named by admin.token_file");
  }
  options.token = *token;
  return options;
}

}  // namespace tgkeep::app
