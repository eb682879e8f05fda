#include "packet/template.h"

#include <gtest/gtest.h>

#include <random>

#include "reported.h"

namespace perfpact::packet {
namespace {

HeaderValue header(std::string name, std::vector<std::pair<std::string, std::string>> fields) {
  HeaderValue result{std::move(name), {}, {}};
  for (auto& [field, value] : fields) result.fields.push_back({field, value, {}, {}});
  return result;
}

Wide low_bits(Wide value, unsigned bits) {
  return bits >= 128 ? value : value & ((Wide{1} << bits) - 1);
}

// `value` as hex text.
std::string text(Wide value) {
  Integer number = static_cast<std::uint64_t>(value >> 64);
  number = (number << 64) + static_cast<std::uint64_t>(value);
  return perfpact::to_hex(number);
}

// A packet made by changing a template is the one that is built with these values at once.
void expect_same(std::vector<HeaderValue> headers, const Bytes& payload,
                 const std::vector<std::pair<std::size_t, std::size_t>>& changing) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  auto made = Template::create(headers, payload, {}, diagnostics);
  ASSERT_TRUE(made) << test::reported(diagnostics);
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    for (const auto& [h, f] : changing) {
      FieldValue& field = headers[h].fields[f];
      const FieldPlace place = made->place(h, field.name);
      const Wide value = low_bits(Wide{random()} << 64 | random(), place.width);
      field.value = text(value);
      made->set(place, value);
    }
    const auto whole = build(headers, payload, {}, diagnostics);
    ASSERT_TRUE(whole) << test::reported(diagnostics);
    const auto bytes = made->bytes();
    ASSERT_EQ(to_hex(bytes), to_hex(*whole));
  }
}

TEST(TemplateTest, FieldsOfAllWidthsAndChecksums) {
  expect_same(
      {header("ethernet", {{"dst", "0"}, {"src", "0"}}), header("vlan", {{"vid", "0"}, {"prio", "0"}}),
       header("ipv4", {{"src", "0"}, {"dst", "0"}, {"ttl", "0"}, {"flags", "0"}, {"frag", "0"}}),
       header("udp", {{"sport", "0"}, {"dport", "0"}})},
      {1, 2, 3}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}, {3, 0}, {3, 1}});
}

TEST(TemplateTest, AddressesOfIpv6) {
  expect_same({header("ethernet", {}), header("ipv6", {{"src", "0"}, {"fl", "0"}}),
               header("tcp", {{"flags", "0"}, {"seq", "0"}})},
              {}, {{1, 0}, {1, 1}, {2, 0}, {2, 1}});
}

TEST(TemplateTest, InnerChecksumsComeFirst) {
  expect_same(
      {header("ipv4", {}), header("gre", {}), header("ipv4", {{"dst", "0"}}), header("icmp", {{"id", "0"}})},
      {}, {{2, 0}, {3, 0}});
}

TEST(TemplateTest, AGivenChecksumStays) {
  expect_same({header("ipv4", {{"dst", "0"}, {"checksum", "0x1234"}})}, {}, {{0, 0}});
  expect_same({header("ipv4", {{"dst", "0"}, {"checksum", "0"}})}, {}, {{0, 0}, {0, 1}});
}

TEST(TemplateTest, WrongHeadersAreReported) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  EXPECT_FALSE(Template::create(std::vector{header("ipv4", {{"dts", "0"}})}, {}, {}, diagnostics));
  EXPECT_EQ(test::reported(diagnostics),
            "0:0: header 'ipv4' has no field 'dts'; did you mean 'dst'? [packet-unknown-field]\n");
}

}  // namespace
}  // namespace perfpact::packet
