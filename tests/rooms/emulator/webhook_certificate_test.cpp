// Webhooks behind a certificate that its owner has signed.

#include <fstream>
#include <sstream>

#include "rooms/emulator/webhook_scene.hpp"
#include "rooms/http/certificate.hpp"

namespace tgkeep::emulator {
namespace {

class WebhookCertificate : public WebhookScene {
 protected:
  WebhookCertificate() {
    http::ServerOptions options;
    options.tls = certificates.make("mine");
    certificates.make("another");
    test::run(io, receiver->stop(no_drain));
    receiver = http::listen(
                   io.get_executor(), std::move(options),
                   [this](http::ServerRequest request) { return receive(std::move(request)); }, Log())
                   .value();
  }

  /// setWebhook with a file of certificates, as bots send it.
  boost::json::value upload(const std::string& file) {
    std::ostringstream body;
    body << "--XyZ\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\nhttps://127.0.0.1:"
         << receiver->port() << "/hook\r\n--XyZ\r\nContent-Disposition: form-data; name=\"certificate\"; "
         << "filename=\"mine.pem\"\r\nContent-Type: application/octet-stream\r\n\r\n"
         << std::ifstream(certificates.path(file)).rdbuf() << "\r\n--XyZ--\r\n";
    http::ClientRequest request("POST", server->root() + "/bot" + std::string(token) + "/setWebhook");
    request.headers.emplace_back("Content-Type", "multipart/form-data; boundary=XyZ");
    request.body = body.str();
    return boost::json::parse(test::run(io, client.send(std::move(request))).value().body);
  }

  test::Certificates certificates;
};

TEST_F(WebhookCertificate, B17_the_uploaded_one_is_trusted) {
  ASSERT_EQ(upload("mine.pem").at("description").as_string(), "Webhook was set");
  add(1);
  until_ended(1);
  EXPECT_EQ(log().back().status, 200) << log().back().error;
  EXPECT_TRUE(call("getWebhookInfo").at("result").at("has_custom_certificate").as_bool());
}

TEST_F(WebhookCertificate, F1_without_it_or_with_another_the_handshake_fails) {
  upload("another.pem");
  add(1);
  until_ended(1);
  EXPECT_THAT(log().back().error, testing::HasSubstr("SSL error"));
  clock.advance(std::chrono::seconds(2));
  const std::string plain = "https://127.0.0.1:" + std::to_string(receiver->port()) + "/hook";
  ASSERT_EQ(description("setWebhook?url=" + plain), "Webhook was set");
  until_ended(2);
  EXPECT_THAT(log().back().error, testing::HasSubstr("SSL error"));
}

TEST_F(WebhookCertificate, B17_it_is_kept_over_a_restart_of_all_that_was_saved) {
  upload("mine.pem");
  test::run(io, server->load(server->save()));
  add(1);
  until_ended(1);
  EXPECT_EQ(log().back().status, 200) << log().back().error;
}

}  // namespace
}  // namespace tgkeep::emulator
