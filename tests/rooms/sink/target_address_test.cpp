#include "sink/target_address.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace tgkeep::sink {
namespace {

TargetAddresses with(std::vector<std::string> listed) {
  return TargetAddresses::parse(listed).value();
}

TEST(TargetAddresses, public_addresses_and_loopback_are_allowed) {
  const TargetAddresses addresses = with({});
  for (const char* const address : {"127.0.0.1",
                                    "127.255.255.254",
                                    "::1",
                                    "::ffff:127.0.0.1",
                                    "1.1.1.1",
                                    "8.8.8.8",
                                    "149.154.160.1",
                                    "172.15.255.255",
                                    "172.32.0.0",
                                    "100.63.255.255",
                                    "100.128.0.0",
                                    "169.253.255.255",
                                    "192.167.255.255",
                                    "192.169.0.0",
                                    "198.17.255.255",
                                    "198.20.0.0",
                                    "223.255.255.255",
                                    "168.63.129.15",
                                    "9.255.255.255",
                                    "11.0.0.0",
                                    "::ffff:8.8.8.8",
                                    "2606:4700:4700::1111",
                                    "2a00:1450::1"}) {
    EXPECT_TRUE(addresses.allows(address)) << address;
    EXPECT_TRUE(addresses.filter()(address)) << address;
  }
}

TEST(TargetAddresses, private_link_local_shared_and_reserved_addresses_are_refused) {
  const TargetAddresses addresses = with({});
  for (const char* const address : {"10.0.0.0",
                                    "10.255.255.255",
                                    "172.16.0.0",
                                    "172.31.255.255",
                                    "192.168.0.1",
                                    "192.168.255.255",
                                    "169.254.169.254",
                                    "169.254.0.1",
                                    "100.64.0.1",
                                    "100.100.100.200",
                                    "100.127.255.255",
                                    "0.0.0.0",
                                    "0.1.2.3",
                                    "168.63.129.16",
                                    "192.0.0.192",
                                    "192.0.2.1",
                                    "198.18.0.1",
                                    "198.51.100.7",
                                    "203.0.113.9",
                                    "224.0.0.1",
                                    "255.255.255.255",
                                    "240.0.0.1",
                                    "::",
                                    "::7f00:1",
                                    "fe80::1",
                                    "fe80::1%eth0",
                                    "fc00::1",
                                    "fd00:ec2::254",
                                    "ff02::1",
                                    "2001:db8::1",
                                    "2002:a00:1::",
                                    "64:ff9b::a00:1",
                                    "::ffff:10.0.0.1",
                                    "::ffff:a9fe:a9fe",
                                    "::ffff:0:10.0.0.1",
                                    "fec0::1",
                                    "2001::1"}) {
    EXPECT_FALSE(addresses.allows(address)) << address;
  }
}

TEST(TargetAddresses, what_is_no_address_is_refused) {
  const TargetAddresses addresses = with({"0.0.0.0/0", "::/0"});
  for (const char* const text : {"", "localhost", "127.1", "127.0.0.1:80", "[::1]", " 127.0.0.1",
                                 "0x7f.0.0.1", "127.0.0.1/8", "2130706433", "1.2.3.4.5", "::g"}) {
    EXPECT_FALSE(addresses.allows(text)) << text;
  }
}

TEST(TargetAddresses, listed_ranges_are_allowed_and_nothing_beside_them) {
  const TargetAddresses addresses = with({"10.1.0.0/16", "192.168.7.9", "fd12:3456::/32", "172.16.0.0/13"});
  for (const char* const address : {"10.1.0.0", "10.1.255.255", "192.168.7.9", "fd12:3456:1::1",
                                    "::ffff:10.1.2.3", "172.23.255.255", "127.0.0.1", "8.8.8.8"}) {
    EXPECT_TRUE(addresses.allows(address)) << address;
  }
  for (const char* const address :
       {"10.0.255.255", "10.2.0.0", "192.168.7.8", "192.168.7.10", "fd12:3457::1", "172.24.0.0"}) {
    EXPECT_FALSE(addresses.allows(address)) << address;
  }
}

TEST(TargetAddresses, an_ipv6_range_of_everything_does_not_open_the_ipv4_networks_hidden_in_it) {
  EXPECT_TRUE(with({"fc00::/7"}).allows("fd00::1"));
  EXPECT_FALSE(with({"fc00::/7"}).allows("10.0.0.1"));
  EXPECT_TRUE(with({"0.0.0.0/0"}).allows("10.0.0.1"));
  EXPECT_FALSE(with({"0.0.0.0/0"}).allows("fd00::1"));
  EXPECT_FALSE(with({"::/0"}).allows("10.0.0.1"));
  EXPECT_FALSE(with({"::/0"}).allows("::ffff:10.0.0.1"));
  EXPECT_TRUE(with({"::/0"}).allows("fd00::1"));
}

TEST(TargetAddresses, a_range_that_cannot_be_read_is_named) {
  for (const char* const text : {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "fd00::/129",
                                 "intranet", "", "10.0.0.1/8", "fd00::1/8", "/8"}) {
    const std::vector<std::string> listed{"192.168.0.0/16", text};
    const auto addresses = TargetAddresses::parse(listed);
    ASSERT_FALSE(addresses) << text;
    EXPECT_EQ(addresses.error().code(), Errc::bad_config);
    EXPECT_NE(addresses.error().text().find("\"" + std::string(text) + "\""), std::string::npos);
  }
}

TEST(TargetAddresses, random_ranges_agree_with_arithmetic) {
  test::Random random;
  TGKEEP_TRACE_SEED(random);
  const auto text = [](std::uint32_t value) {
    return std::to_string(value >> 24) + "." + std::to_string(value >> 16 & 0xFF) + "." +
           std::to_string(value >> 8 & 0xFF) + "." + std::to_string(value & 0xFF);
  };
  for (int i = 0; i < 2000; ++i) {
    const auto bits = static_cast<unsigned>(random.between(0, 32));
    const std::uint32_t mask = bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits);
    const auto first = static_cast<std::uint32_t>(random.between(0, 0xFFFFFFFF)) & mask;
    const auto range = AddressRange::parse(text(first) + "/" + std::to_string(bits));
    ASSERT_TRUE(range) << text(first) << "/" << bits;
    auto other = static_cast<std::uint32_t>(random.between(0, 0xFFFFFFFF));
    if (random.chance(0.5)) other = first ^ std::uint32_t{1} << random.between(0, 31);
    EXPECT_EQ(range->contains(text(other)), (other & mask) == first) << text(first) << "/" << bits;
    EXPECT_EQ(range->contains("::ffff:" + text(other)), (other & mask) == first);
  }
}

}  // namespace
}  // namespace tgkeep::sink
