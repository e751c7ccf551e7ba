// The parts of the check at the door: secrets, address ranges, senders behind proxies.

#include <gtest/gtest.h>

#include "source/address_ranges.hpp"
#include "source/secret.hpp"
#include "source/sender_address.hpp"

namespace tgkeep::source {
namespace {

bool accepts(const std::vector<std::string>& secrets, const std::string& given) {
  return SecretSet(secrets).accepts(&given);
}

TEST(SecretSet, accepts_every_secret_of_the_set_and_nothing_else) {
  const std::string longest(256, 'a');
  EXPECT_TRUE(accepts({"one"}, "one"));
  EXPECT_TRUE(accepts({"two", "one"}, "one"));
  EXPECT_TRUE(accepts({longest}, longest));
  EXPECT_FALSE(accepts({longest}, longest + 'a'));
  EXPECT_FALSE(accepts({longest}, std::string(255, 'a')));
  EXPECT_FALSE(accepts({"one"}, ""));
  EXPECT_FALSE(accepts({"one"}, std::string("one\0", 4)));
  EXPECT_FALSE(accepts({"one"}, std::string(100'000, 'o')));
  EXPECT_FALSE(SecretSet({"one"}).accepts(nullptr));
}

TEST(SecretSet, without_secrets_accepts_all_but_with_unusable_ones_nothing) {
  EXPECT_TRUE(accepts({}, "any"));
  EXPECT_TRUE(SecretSet({}).accepts(nullptr));
  EXPECT_FALSE(SecretSet({""}).accepts(nullptr));
  EXPECT_FALSE(accepts({""}, ""));
  EXPECT_FALSE(accepts({"not good"}, "not good"));
  EXPECT_FALSE(accepts({std::string(257, 'a')}, std::string(257, 'a')));
}

bool contains(const std::vector<std::string>& ranges, const std::string& address) {
  return AddressRanges::parse(ranges).value().contains(asio::ip::make_address(address));
}

TEST(AddressRanges, hold_the_addresses_of_their_ranges) {
  EXPECT_TRUE(contains({"10.0.0.7"}, "10.0.0.7"));
  EXPECT_FALSE(contains({"10.0.0.7"}, "10.0.0.6"));
  EXPECT_TRUE(contains({"10.0.0.7"}, "::ffff:10.0.0.7"));
  EXPECT_TRUE(contains({"192.168.5.0/23"}, "192.168.4.255"));
  EXPECT_FALSE(contains({"192.168.4.0/23"}, "192.168.6.0"));
  EXPECT_TRUE(contains({"0.0.0.0/0"}, "1.2.3.4"));
  EXPECT_FALSE(contains({"0.0.0.0/0"}, "2001:db8::1"));
  EXPECT_TRUE(contains({"1.1.1.1", "2001:db8::/33"}, "2001:db8:7fff::1"));
  EXPECT_FALSE(contains({"2001:db8::/33"}, "2001:db8:8000::1"));
  EXPECT_FALSE(contains({}, "1.2.3.4"));
}

TEST(AddressRanges, refuse_what_is_no_range) {
  for (const auto* text :
       {"", "here", "1.2.3", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/8x", "::/129"}) {
    EXPECT_FALSE(AddressRanges::parse({"1.1.1.1", text})) << text;
  }
}

TEST(AddressRanges, know_telegrams) {
  const auto is_telegram = [](const char* text) {
    return telegram_ranges().contains(asio::ip::make_address(text));
  };
  for (const auto* inside : {"149.154.160.0", "149.154.175.255", "91.108.4.0", "91.108.7.255"})
    EXPECT_TRUE(is_telegram(inside)) << inside;
  for (const auto* outside :
       {"149.154.159.255", "149.154.176.0", "91.108.3.255", "91.108.8.0", "127.0.0.1", "::1"})
    EXPECT_FALSE(is_telegram(outside)) << outside;
}

std::string sender(const std::string& peer, const std::vector<std::string>& forwarded) {
  http::ServerRequest head;
  head.peer = peer;
  head.headers.emplace_back("Host", "example.org");
  for (const auto& value : forwarded) head.headers.emplace_back("x-forwarded-for", value);
  const auto proxies = AddressRanges::parse({"127.0.0.1", "10.0.0.0/8", "::1"}).value();
  const auto address = sender_address(head, "X-Forwarded-For", proxies);
  return address ? address->to_string() : "unknown";
}

TEST(SenderAddress, is_the_last_entry_that_is_no_trusted_proxy) {
  EXPECT_EQ(sender("1.2.3.4", {}), "1.2.3.4");
  EXPECT_EQ(sender("1.2.3.4", {"9.9.9.9"}), "1.2.3.4");
  EXPECT_EQ(sender("127.0.0.1", {"9.9.9.9"}), "9.9.9.9");
  EXPECT_EQ(sender("127.0.0.1", {"8.8.8.8, 9.9.9.9"}), "9.9.9.9");
  EXPECT_EQ(sender("127.0.0.1", {"8.8.8.8, 9.9.9.9 ,10.1.1.1"}), "9.9.9.9");
  EXPECT_EQ(sender("127.0.0.1", {"8.8.8.8", "9.9.9.9"}), "9.9.9.9") << "several headers are one list";
  EXPECT_EQ(sender("127.0.0.1", {"9.9.9.9:4711"}), "9.9.9.9");
  EXPECT_EQ(sender("::1", {"[2001:db8::5]:4711"}), "2001:db8::5");
  EXPECT_EQ(sender("::1", {"2001:db8::5"}), "2001:db8::5");
}

TEST(SenderAddress, is_unknown_when_the_trusted_proxies_do_not_say) {
  EXPECT_EQ(sender("127.0.0.1", {}), "unknown");
  EXPECT_EQ(sender("127.0.0.1", {"10.2.2.2"}), "unknown");
  EXPECT_EQ(sender("127.0.0.1", {"9.9.9.9, here"}), "unknown");
  EXPECT_EQ(sender("127.0.0.1", {"9.9.9.9, "}), "unknown");
  EXPECT_EQ(sender("127.0.0.1", {"[::1"}), "unknown");
  EXPECT_EQ(sender("", {"9.9.9.9"}), "unknown");
}

}  // namespace
}  // namespace tgkeep::source
