// Filters on symbols, held to libpcap's interpreter on packets made at random.
#include "contract/filter.h"

#include <gtest/gtest.h>

#include <random>

#include "smt/model.h"

namespace perfpact::contract {
namespace {

constexpr std::uint32_t kLongest = 80;

class SymbolicFilterTest : public ::testing::TestWithParam<const char*> {
 protected:
  smt::Expr byte(std::uint32_t i) { return context_.symbol(fmt::format("packet[{}]", i), 8); }

  smt::Context context_;
  SourceManager sources_;
  Diagnostics diagnostics_{sources_};
};

// Headers that the filters speak of, with bytes changed at random.
std::vector<std::uint8_t> packet(std::mt19937& random) {
  const auto one_of = [&](std::initializer_list<int> values) {
    return static_cast<std::uint8_t>(values.begin()[random() % values.size()]);
  };
  std::vector<std::uint8_t> bytes(kLongest);
  bytes[12] = one_of({0x08, 0x08, 0x86, 0x81});
  bytes[13] = one_of({0x00, 0x00, 0x06, 0xdd});
  bytes[14] = one_of({0x45, 0x46, 0x4f, 0x60, 0x35});
  bytes[20] = one_of({0, 0, 0x20, 1});
  bytes[22] = one_of({0, 1, 3});
  bytes[23] = one_of({6, 17, 1});
  bytes[26] = one_of({10, 192});
  for (std::size_t i = 30; i < bytes.size(); ++i) bytes[i] = one_of({0, 0, 0, 80, 53, 1});
  bytes[47] = one_of({2, 0x10});
  for (int i = 0; i < 2; ++i)
    if (random() % 4 == 0) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
  bytes.resize(14 + random() % (kLongest - 13));
  return bytes;
}

TEST_P(SymbolicFilterTest, IsWhatLibpcapSays) {
  const auto filter = packet::compile_filter(GetParam(), {}, diagnostics_);
  ASSERT_TRUE(filter) << diagnostics_.render();
  const smt::Expr length = context_.symbol("length", 16);
  const auto condition =
      passes(context_, *filter, {[this](std::uint32_t i) { return byte(i); }, length, kLongest});
  ASSERT_TRUE(condition);
  std::mt19937 random(1);
  int passed = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::vector<std::uint8_t> bytes = packet(random);
    auto model = std::make_shared<smt::Model>();
    for (std::uint32_t at = 0; at < bytes.size(); ++at) model->set(byte(at), smt::Value(8, bytes[at]));
    model->set(length, smt::Value(16, bytes.size()));
    smt::Evaluation evaluation(std::move(model));
    const bool expected = packet::passes(*filter, bytes);
    passed += expected ? 1 : 0;
    ASSERT_EQ(evaluation.holds(*condition), expected) << i;
  }
  EXPECT_GT(passed, 0);
  EXPECT_LT(passed, 4000);
}

INSTANTIATE_TEST_SUITE_P(Filters, SymbolicFilterTest,
                         ::testing::Values("ip", "ip and (tcp or udp)", "tcp port 80", "udp dst port 53",
                                           "ip[0] & 0xf > 5", "net 10.0.0.0/8", "vlan", "ip6 or arp",
                                           "len > 60", "tcp[tcpflags] & tcp-syn != 0", "not ip",
                                           "ip[2:2] + 14 <= len", "greater 40 and less 50", "icmp[0] = 0",
                                           "ip[8] * 2 > ip[9] / 3", "ether[12] % 7 = 1"));

TEST_F(SymbolicFilterTest, OffsetsThatCanBeAnywhereAreNotSupported) {
  const auto filter = packet::compile_filter("ether[ether[12:2]] = 1", {}, diagnostics_);
  ASSERT_TRUE(filter) << diagnostics_.render();
  EXPECT_FALSE(passes(context_, *filter,
                      {[this](std::uint32_t i) { return byte(i); }, context_.symbol("length", 16), 1514}));
}

}  // namespace
}  // namespace perfpact::contract
