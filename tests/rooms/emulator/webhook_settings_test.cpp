#include "emulator/webhook_settings.hpp"

#include <gmock/gmock.h>

#include "emulator/webhook_reply.hpp"

namespace tgkeep::emulator {
namespace {

telegram::Params params_of(std::string_view form) {
  telegram::Params params;
  telegram::add_form(params, form);
  return params;
}

std::string refusal(std::string_view form, telegram::WebhookRules rules) {
  const auto settings = read_webhook_settings(params_of(form), rules);
  return settings ? "" : settings.error().description;
}

TEST(WebhookSettings, B17_the_cloud_refuses_in_its_own_words) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"url=http://bot.example.org/", "Bad Request: bad webhook: An HTTPS URL must be provided for webhook"},
      {"url=https://bot.example.org:8080/",
       "Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443"},
      {"url=bot.example.org:8443&ip_address=10.1.2.3",
       "Bad Request: bad webhook: IP address 10.1.2.3 is reserved"},
      {"url=bot.example.org&ip_address=::1", "Bad Request: bad webhook: IPv6-only addresses are not allowed"},
      {"url=bot.example.org&ip_address=300.1.1.1", "Bad Request: bad webhook: Invalid IP address specified"},
      {"url=ftp://bot.example.org/", "Bad Request: invalid webhook URL specified"},
      {"url=https://", "Bad Request: invalid webhook URL specified"},
      {"url=https://x:0/", "Bad Request: invalid webhook URL specified"},
      {"url=https://x y/", "Bad Request: invalid webhook URL specified"},
      {"url=https://x/&secret_token=a%20b", "Bad Request: secret token contains unallowed characters"},
      {"url=https://x/&secret_token=" + std::string(257, 'a'), "Bad Request: secret token is too long"},
      {"url=https://user:word@bot.example.org:88/p?q&ip_address=149.154.160.1", ""},
  };
  for (const auto& [form, description] : cases)
    EXPECT_EQ(refusal(form, telegram::WebhookRules::cloud), description) << form;
}

TEST(WebhookSettings, B17_every_reserved_range_is_refused_in_the_cloud_and_allowed_locally) {
  for (const char* address : {"0.1.1.1", "10.255.0.1", "100.64.0.1", "127.0.0.1", "169.254.9.9", "172.31.0.1",
                              "192.0.0.5", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.19.0.1",
                              "198.51.100.7", "203.0.113.1", "224.0.0.1", "255.255.255.255"}) {
    EXPECT_TRUE(telegram::refuse_address(address, true)) << address;
    EXPECT_FALSE(telegram::refuse_address(address, false)) << address;
  }
  for (const char* address : {"9.9.9.9", "100.128.0.1", "172.32.0.1", "198.20.0.1", "223.255.255.255"}) {
    EXPECT_FALSE(telegram::refuse_address(address, true)) << address;
  }
}

TEST(WebhookSettings, B17_local_mode_takes_http_and_any_port) {
  const auto settings =
      read_webhook_settings(params_of("url=http://127.0.0.1:8080/hook"), telegram::WebhookRules::local);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->url.port, 8080);
  EXPECT_EQ(settings->url.host, "127.0.0.1");
  EXPECT_FALSE(settings->url.secure);
}

TEST(WebhookSettings, B17_max_connections_are_clamped_by_mode) {
  const std::vector<std::tuple<std::string, int, int>> cases = {{"", 40, 100},
                                                                {"max_connections=0", 1, 1},
                                                                {"max_connections=7", 7, 7},
                                                                {"max_connections=1000000", 100, 100'000}};
  for (const auto& [form, cloud, local] : cases) {
    EXPECT_EQ(telegram::webhook_max_connections(params_of(form), telegram::WebhookRules::cloud), cloud)
        << form;
    EXPECT_EQ(telegram::webhook_max_connections(params_of(form), telegram::WebhookRules::local), local)
        << form;
  }
}

TEST(WebhookSettings, B17_a_certificate_may_come_in_a_part_of_its_own_or_attached_and_not_be_too_big) {
  const auto body = [](std::string_view name, std::string_view content) {
    std::string text = "--XyZ\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\nhttps://x/\r\n--XyZ\r\n";
    text.append("Content-Disposition: form-data; name=\"").append(name);
    text.append("\"; filename=\"c.pem\"\r\nContent-Type: application/octet-stream\r\n\r\n").append(content);
    return text.append("\r\n--XyZ--\r\n");
  };
  const std::string type = "multipart/form-data; boundary=XyZ";
  telegram::Params plain;
  telegram::add_body(plain, type, body("certificate", "a\r\nb"));
  ASSERT_NE(plain.file("certificate"), nullptr);
  EXPECT_EQ(*plain.file("certificate"), "a\r\nb");
  EXPECT_EQ(read_webhook_settings(plain, telegram::WebhookRules::cloud).value().certificate, "a\r\nb");
  telegram::Params attached = params_of("certificate=attach://mine");
  telegram::add_body(attached, type, body("mine", "pem"));
  ASSERT_NE(attached.file("certificate"), nullptr);
  EXPECT_EQ(*attached.file("certificate"), "pem");
  telegram::Params big;
  telegram::add_body(big, type, body("certificate", std::string((3U << 20) + 1, 'x')));
  EXPECT_EQ(read_webhook_settings(big, telegram::WebhookRules::cloud).error().description,
            "Bad Request: certificate size is too big (3145729 bytes)");
}

TEST(WebhookSettings, B2_broken_multipart_adds_nothing_from_the_broken_part_on) {
  const std::string good = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b";
  for (const std::string& rest :
       {std::string(), std::string("\r\nContent-Disp"), std::string("\r\nX: y\r\n\r\nno end")}) {
    telegram::Params params;
    telegram::add_multipart(params, "multipart/form-data; boundary=\"b\"", good + rest);
    EXPECT_EQ(params.text("a"), "1");
  }
  telegram::Params none;
  telegram::add_multipart(none, "multipart/form-data", good);
  telegram::add_multipart(none, "multipart/form-data; boundary=" + std::string(71, 'b'), good);
  EXPECT_FALSE(none.has("a"));
}

TEST(WebhookReply, B25_is_read_like_a_request_unless_its_method_is_refused) {
  const auto method = [](std::string_view type, std::string_view body) {
    http::ClientResponse response;
    response.status = 200;
    response.headers.emplace_back("content-type", type);
    response.body = body;
    const std::optional<Route> reply = read_webhook_reply(response);
    return reply ? reply->method : "";
  };
  EXPECT_EQ(method("application/json", R"({"method":"sendMessage","chat_id":5})"), "sendMessage");
  EXPECT_EQ(method("application/x-www-form-urlencoded", "method=sendMessage"), "sendMessage");
  EXPECT_EQ(method("multipart/form-data; boundary=b",
                   "--b\r\nContent-Disposition: form-data; name=\"method\"\r\n\r\nsendMessage\r\n--b--\r\n"),
            "sendMessage");
  EXPECT_EQ(method("text/plain", R"({"method":"sendMessage"})"), "");
  EXPECT_EQ(method("application/json", "{}"), "");
  for (const char* name : {"getMe", "GETUPDATES", "setWebhook", "deletewebhook", "close", "LogOut"}) {
    EXPECT_EQ(method("application/json", std::string(R"({"method":")") + name + "\"}"), "") << name;
  }
}

}  // namespace
}  // namespace tgkeep::emulator
