// The expected bytes were made with scapy 2.5.0, which shares no code with ours.
#include <gtest/gtest.h>

#include "packet/packet.h"
#include "reported.h"

namespace perfpact::packet {
namespace {

HeaderValue header(std::string name, std::initializer_list<std::pair<std::string, std::string>> fields = {}) {
  HeaderValue value{std::move(name), {}, {}};
  for (const auto& [field, text] : fields) value.fields.push_back({field, text, {}, {}});
  return value;
}
HeaderValue ethernet() {
  return header("ethernet", {{"dst", "02:00:00:00:00:01"}, {"src", "02:00:00:00:00:02"}});
}
HeaderValue ipv4() {
  return header("ipv4", {{"dst", "10.0.0.1"}, {"src", "10.0.0.2"}});
}
HeaderValue inner_ipv4() {
  return header("ipv4", {{"dst", "1.2.3.4"}, {"src", "5.6.7.8"}});
}
HeaderValue ipv6() {
  return header("ipv6", {{"dst", "2001:db8::1"}, {"src", "2001:db8::2"}});
}

std::string built(const std::vector<HeaderValue>& headers, const Bytes& payload = {},
                  const std::vector<HeaderLayout>& program = {}) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const auto bytes = build(headers, payload, program, diagnostics);
  return bytes ? to_hex(*bytes) : diagnostics.render();
}

TEST(Build, Udp) {
  EXPECT_EQ(built({ethernet(), header("ipv4", {{"dst", "10.0.0.1"}, {"src", "192.168.1.2"}}),
                   header("udp", {{"sport", "1234"}, {"dport", "53"}})},
                  {1, 2, 3, 4, 5}),
            "020000000001020000000002080045000021000000004011af21c0a801020a00000104d20035000d261c0102030405");
}

TEST(Build, VlanTcp) {
  EXPECT_EQ(built({ethernet(), header("vlan", {{"id", "100"}, {"pcp", "3"}}),
                   header("ipv4", {{"dst", "10.0.0.1"}, {"src", "10.0.0.2"}, {"id", "7"}}),
                   header("tcp", {{"sport", "80"},
                                  {"dport", "40000"},
                                  {"seq", "1"},
                                  {"ack", "2"},
                                  {"flags", "0x12"},
                                  {"window", "1000"}})}),
            "0200000000010200000000028100606408004500002800070000400666c70a0000020a00000100509c40000000010000"
            "00025012"
            "03e8fb540000");
}

TEST(Build, Icmp) {
  EXPECT_EQ(
      built({ethernet(), ipv4(), header("icmp", {{"type", "8"}, {"id", "1"}, {"seq", "2"}})}, {0, 0, 0}),
      "02000000000102000000000208004500001f00000000400166dc0a0000020a0000010800f7fc00010002000000");
}

TEST(Build, Ipv6UdpAndIcmp) {
  EXPECT_EQ(built({ethernet(), ipv6(), header("udp", {{"sport", "1"}, {"dport", "2"}})}, {0xff}),
            "02000000000102000000000286dd600000000009114020010db800000000000000000000000220010db8000000000000"
            "00000000"
            "0001000100020009a563ff");
  EXPECT_EQ(built({ethernet(), ipv6(), header("icmp", {{"type", "128"}, {"id", "5"}, {"seq", "6"}})}),
            "02000000000102000000000286dd6000000000083a4020010db800000000000000000000000220010db8000000000000"
            "00000000"
            "00018000243d00050006");
}

TEST(Build, VxlanCarriesAWholePacket) {
  EXPECT_EQ(built({ethernet(), ipv4(), header("udp"), header("vxlan", {{"vni", "42"}}), ethernet(),
                   inner_ipv4(), header("udp", {{"sport", "9"}, {"dport", "10"}})}),
            "02000000000102000000000208004500004e000000004011669d0a0000020a000001000012b5003aaaec080000000000"
            "2a000200"
            "0000000102000000000208004500001c0000000040116abe05060708010203040009000a0008efb7");
}

TEST(Build, MplsGreArp) {
  EXPECT_EQ(built({ethernet(), header("mpls", {{"label", "16"}}), header("mpls", {{"label", "17"}}), ipv4()}),
            "020000000001020000000002884700010040000111404500001400000000400066e80a0000020a000001");
  EXPECT_EQ(built({ethernet(), ipv4(), header("gre"), inner_ipv4()}),
            "02000000000102000000000208004500002c00000000402f66a10a0000020a0000010000080045000014000000004000"
            "6ad70506"
            "070801020304");
  EXPECT_EQ(
      built({ethernet(),
             header("arp", {{"hwsrc", "02:00:00:00:00:02"}, {"psrc", "10.0.0.2"}, {"pdst", "10.0.0.1"}})}),
      "020000000001020000000002080600010800060400010200000000020a0000020000000000000a000001");
}

TEST(Build, GivenFieldsStay) {
  EXPECT_EQ(built({header("ethernet", {{"type", "0x1234"}}),
                   header("ipv4", {{"chksum", "1"}, {"len", "2"}, {"proto", "3"}, {"ttl", "4"}})}),
            "000000000000000000000000"
            "1234"
            "45000002"
            "00000000"
            "04030001"
            "00000000"
            "00000000");
}

TEST(Build, LastIpv6SaysNothingFollows) {
  EXPECT_EQ(built({ipv6()}),
            "60000000"
            "00003b40"
            "20010db8000000000000000000000002"
            "20010db8000000000000000000000001");
}

// A UDP checksum that comes out as 0 is sent as all ones (RFC 768). The port brings the sum to 0xffff.
TEST(Build, UdpChecksumIsNeverZero) {
  const std::string zero_port = built({ipv4(), header("udp")});
  const std::string checksum = zero_port.substr(zero_port.size() - 4);
  EXPECT_TRUE(built({ipv4(), header("udp", {{"sport", "0x" + checksum}})}).ends_with("ffff"));
}

TEST(Build, ChecksumCoversOptionsWhenIhlSaysSo) {
  // The sum over a correct IPv4 header, options and checksum included, is 0xffff.
  const std::string hex = built({header("ipv4", {{"ihl", "6"}})}, {0x94, 0x04, 0x00, 0x00, 0xab});
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 48; i += 4)
    sum += static_cast<std::uint32_t>(std::stoul(hex.substr(i, 4), nullptr, 16));
  EXPECT_EQ((sum & 0xffff) + (sum >> 16), 0xffff);
}

const std::vector<HeaderLayout> kProgram{{"cpu_t", {{"reason", 4}, {"port", 12}}},
                                         {"odd_t", {{"x", 3}}},
                                         {"five_t", {{"y", 5}}},
                                         {"ipv4", {{"mine", 8}}}};

TEST(Build, HeadersOfTheProgram) {
  EXPECT_EQ(built({header("cpu_t", {{"port", "0xabc"}}), header("odd_t", {{"x", "5"}}),
                   header("five_t", {{"y", "1"}}), header("udp")},
                  {}, kProgram),
            "0abc"
            "a1"
            "0000000000080000");
  EXPECT_EQ(built({ethernet(), header("ipv4", {{"mine", "7"}})}, {}, kProgram),
            "02000000000102000000000200000"
            "7");
}

class BuildFaults : public ::testing::Test {
 protected:
  BuildFaults() : diagnostics(sources) { sources.add("w.yaml", ""); }
  std::string fault(std::string name, std::string field, std::string value) {
    const Span at{FileId{1}, {1, 2}, {1, 3}};
    const Span at_value{FileId{1}, {1, 8}, {1, 9}};
    const HeaderValue given{std::move(name), {{std::move(field), std::move(value), at, at_value}}, at};
    EXPECT_FALSE(build(std::span(&given, 1), {}, kProgram, diagnostics));
    return test::reported(diagnostics);
  }
  SourceManager sources;
  Diagnostics diagnostics;
};

TEST_F(BuildFaults, UnknownHeader) {
  EXPECT_EQ(fault("ethernt", "dst", "0"),
            "1:2: there is no header 'ethernt'; did you mean 'ethernet'? [packet-unknown-header]\n");
}
TEST_F(BuildFaults, UnknownField) {
  EXPECT_EQ(fault("udp", "dprt", "0"),
            "1:2: header 'udp' has no field 'dprt'; did you mean 'dport'? [packet-unknown-field]\n");
}
TEST_F(BuildFaults, BadValue) {
  EXPECT_EQ(
      fault("udp", "dport", "dns"),
      "1:8: 'dns' is no value for a field; expected a number (decimal, 0x, 0b), a MAC, IPv4 or IPv6 address "
      "[packet-bad-value]\n");
}
TEST_F(BuildFaults, TooWide) {
  EXPECT_EQ(fault("udp", "dport", "65536"),
            "1:8: '65536' does not fit field 'dport' of 16 bits [packet-value-too-wide]\n");
}
TEST_F(BuildFaults, AddressOfOtherWidth) {
  EXPECT_EQ(fault("ethernet", "dst", "10.0.0.1"),
            "1:8: '10.0.0.1' is an address of 32 bits, but field 'dst' has 48 bits [packet-address-width]\n");
}
TEST_F(BuildFaults, NotBytes) {
  EXPECT_EQ(fault("odd_t", "x", "1"),
            "1:2: the headers before the payload have 3 bits, which is no whole number of bytes "
            "[packet-not-bytes]\n");
}
TEST_F(BuildFaults, KnownProtocolOffAByte) {
  const std::vector<HeaderValue> headers{header("odd_t"), header("udp")};
  EXPECT_FALSE(build(headers, {}, kProgram, diagnostics));
  EXPECT_EQ(
      test::reported(diagnostics),
      "0:0: the headers before 'udp' have 3 bits, which is no whole number of bytes [packet-not-bytes]\n");
}
TEST_F(BuildFaults, FieldTwiceAndSeveralFaults) {
  const std::vector<HeaderValue> headers{header("vlan", {{"id", "1"}, {"vid", "2"}}), header("tpc")};
  EXPECT_FALSE(build(headers, {}, kProgram, diagnostics));
  EXPECT_EQ(test::reported(diagnostics),
            "0:0: field 'vid' of header 'vlan' is given twice [packet-field-twice]\n"
            "0:0: there is no header 'tpc'; did you mean 'tcp'? [packet-unknown-header]\n");
}

TEST(Protocols, AllFieldsOfTheTableExist) {
  std::vector<std::string> names;
  for (const HeaderLayout& layout : known_protocols()) {
    names.push_back(layout.name);
    EXPECT_EQ(layout.bits() % 8, 0U) << layout.name;
    // Building exercises constants, next header, length and checksum of each, before and after each other.
    for (const HeaderLayout& other : known_protocols())
      EXPECT_EQ(built({header(layout.name), header(other.name)}).size(), (layout.bits() + other.bits()) / 4)
          << layout.name << " " << other.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"ethernet", "vlan", "arp", "ipv4", "ipv6", "icmp", "tcp", "udp",
                                             "mpls", "gre", "vxlan"}));
}

}  // namespace
}  // namespace perfpact::packet
