#include "app/admin_settings.hpp"

#include <gmock/gmock.h>

namespace tgkeep::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kToken(32, 't');

LoadedConfig with(std::vector<std::pair<std::string, std::string>> flags) {
  ConfigSources sources;
  sources.flags = std::move(flags);
  return load_config(sources);
}

TEST(AdminSettings, the_socket_is_in_the_folder_unless_named_or_off) {
  EXPECT_EQ(admin_socket(with({{"folder", "/data"}}).config), "/data/admin.sock");
  EXPECT_EQ(admin_socket(with({{"admin.socket", "/run/t.sock"}}).config), "/run/t.sock");
  EXPECT_EQ(admin_socket(with({{"admin.socket", "off"}}).config), "");
  EXPECT_EQ(admin_socket(with({{"in_memory", "true"}}).config), "");
  EXPECT_EQ(admin_socket(with({{"in_memory", "true"}, {"admin.socket", "/run/t.sock"}}).config),
            "/run/t.sock");
}

TEST(AdminSettings, a_path_longer_than_a_socket_takes_is_refused_with_the_remedy) {
  const std::string folder = "/" + std::string(95, 'd');
  EXPECT_THAT(with({{"folder", folder}}).problems, IsEmpty());
  EXPECT_THAT(with({{"folder", folder + "e"}}).problems,
              ElementsAre(AllOf(HasSubstr("has 108 characters"), HasSubstr("name a shorter one"))));
}

TEST(AdminSettings, tcp_needs_an_address_with_a_port) {
  for (const char* wrong :
       {"9480", "localhost:9480", "127.0.0.1", "127.0.0.1:", "::1:9480", "127.0.0.1:70000"}) {
    EXPECT_THAT(with({{"admin.listen", wrong}}).problems, ElementsAre(HasSubstr("write 127.0.0.1:9480")))
        << wrong;
  }
  const Config config = with({{"admin.listen", "[::1]:0"}, {"admin.hosts", "a.example,b.example"}}).config;
  const AdminOptions options = admin_to_open(config, {{"TGKEEP_ADMIN_TOKEN", kToken}}).value();
  EXPECT_EQ(options.address, "::1");
  EXPECT_EQ(options.port, 0);
  EXPECT_EQ(options.token, kToken);
  EXPECT_THAT(options.hosts, ElementsAre("a.example", "b.example"));
}

TEST(AdminSettings, tcp_needs_a_token_that_can_not_be_guessed) {
  const Config config = with({{"admin.listen", "127.0.0.1:9480"}}).config;
  EXPECT_THAT(admin_to_open(config, {}).error().text(),
              AllOf(HasSubstr("there is none"), HasSubstr("TGKEEP_ADMIN_TOKEN")));
  EXPECT_THAT(admin_to_open(config, {{"TGKEEP_ADMIN_TOKEN", "quite_short"}}).error().text(),
              AllOf(HasSubstr("too short"), Not(HasSubstr("quite_short"))));
  EXPECT_EQ(admin_to_open(with({}).config, {}).value().address, "");
}

}  // namespace
}  // namespace tgkeep::app
