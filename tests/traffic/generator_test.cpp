#include "traffic/generator.h"

#include <set>

#include "read.h"

namespace perfpact::traffic {
namespace {

struct Made {
  std::string hex;
  packet::TimeStamp time;
  std::uint32_t port;
  bool operator==(const Made&) const = default;
};

class GeneratorTest : public test::Reading {
 protected:
  Recipe load(const std::string& text) {
    auto recipe =
        load_recipe(folder.write("recipe.yaml", "schema: perfpact.traffic/1\n" + text), diagnostics);
    EXPECT_TRUE(recipe) << test::reported(diagnostics);
    return std::move(*recipe);
  }
  std::vector<Made> make(const std::string& text) {
    Recipe recipe = load(text);
    std::vector<Made> packets;
    generate(recipe, [&](const MadePacket& packet) {
      packets.push_back({packet::to_hex(packet.bytes), packet.time, packet.port});
    });
    return packets;
  }
  test::Folder folder;
};

TEST_F(GeneratorTest, PacketsAreWhatTheirHeadersBuild) {
  const auto packets = make(
      "seed: 1\n"
      "start: 10\n"
      "flows: {c: {count: 3, values: {src: {counter: 10.0.0.1}, port: {counter: 1000, step: 10}}}}\n"
      "phases:\n"
      "- {name: a, packets: 4, gap: 1500ns, port: 7, flows: {c: {}}, payload: {hex: abcd},\n"
      "   headers: [ethernet, ipv4: {src: $c.src, dst: 192.0.2.1}, udp: {sport: $c.port, dport: {counter: "
      "5}}]}\n");
  ASSERT_EQ(packets.size(), 4U);
  for (unsigned i = 0; i < 4; ++i) {
    const auto field = [](std::string name, std::string value) {
      return packet::FieldValue{std::move(name), std::move(value), {}, {}};
    };
    const std::vector<packet::HeaderValue> headers{
        {"ethernet", {}, {}},
        {"ipv4", {field("src", fmt::format("10.0.0.{}", 1 + i % 3)), field("dst", "192.0.2.1")}, {}},
        {"udp",
         {field("sport", fmt::format("{}", 1000 + i % 3 * 10)), field("dport", fmt::format("{}", 5 + i))},
         {}}};
    const auto bytes = packet::build(headers, packet::Bytes{0xab, 0xcd}, {}, diagnostics);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(packets[i], (Made{packet::to_hex(*bytes), {10, static_cast<std::int32_t>(1500 * i)}, 7}));
  }
}

TEST_F(GeneratorTest, WaitsAndRanges) {
  const std::string text =
      "seed: 1\nphases:\n"
      "- {name: nothing, packets: 0, wait: 9s, headers: [ethernet]}\n"
      "- {name: first, packets: 2, gap: 1s, wait: 5s, headers: [ethernet]}\n"
      "- {name: second, packets: 2, gap: 2s, headers: [ethernet]}\n"
      "- {name: third, packets: 1, wait: 60s, measured: true, headers: [ethernet]}\n";
  std::vector<std::int64_t> times;
  for (const Made& packet : make(text)) times.push_back(packet.time.seconds);
  EXPECT_EQ(times, (std::vector<std::int64_t>{0, 1, 3, 5, 65}));
  EXPECT_EQ(to_json(phase_ranges(load(text))),
            R"({
  "schema": "perfpact.traffic-phases/1",
  "phases": [
    {
      "name": "nothing",
      "first": 0,
      "packets": 0,
      "measured": false,
      "first_ns": 0
    },
    {
      "name": "first",
      "first": 0,
      "packets": 2,
      "measured": false,
      "first_ns": 0
    },
    {
      "name": "second",
      "first": 2,
      "packets": 2,
      "measured": false,
      "first_ns": 3000000000
    },
    {
      "name": "third",
      "first": 4,
      "packets": 1,
      "measured": true,
      "first_ns": 65000000000
    }
  ]
}
)");
}

TEST_F(GeneratorTest, TheSeedAloneDecides) {
  const auto text = [](int seed) {
    return fmt::format(
        "seed: {}\nflows: {{c: {{count: 1000, values: {{src: 10.0.0.0/8}}}}}}\nphases:\n"
        "- {{name: a, packets: 200, flows: {{c: {{order: uniform, count: 900, churn: 0.1}}}}, headers: "
        "[ethernet: "
        "{{dst: 2:0:0:0:0:0/8}}, ipv4: {{src: $c.src}}]}}\n"
        "- {{name: b, packets: 200, flows: {{c: {{order: {{zipf: 1.1}}}}}}, headers: [ethernet, ipv4: {{src: "
        "$c.src}}]}}\n",
        seed);
  };
  EXPECT_EQ(make(text(1)), make(text(1)));
  EXPECT_NE(make(text(1)), make(text(2)));
}

TEST_F(GeneratorTest, MixesByWeight) {
  const auto packets = make(
      "seed: 3\nphases:\n- name: a\n  packets: 100000\n  mix:\n"
      "  - {weight: 3, port: 1, headers: [ethernet]}\n"
      "  - {weight: 0, port: 2, headers: [ethernet]}\n"
      "  - {weight: 1, port: 3, headers: [ethernet, arp]}\n");
  std::map<std::uint32_t, int> ports;
  for (const Made& packet : packets) ++ports[packet.port];
  EXPECT_EQ(ports.size(), 2U);
  EXPECT_NEAR(ports[1], 75000, 700);
}

TEST_F(GeneratorTest, TwoDrawsFromOneSet) {
  const auto packets = make(
      "seed: 1\nflows: {s: {count: 4, values: {mac: {counter: 2:0:0:0:0:0}}}}\nphases:\n"
      "- {name: a, packets: 3, flows: {from: {of: s}, to: {of: s, first: 1}}, headers: [ethernet: {src: "
      "$from.mac, dst: "
      "$to.mac}]}\n");
  EXPECT_EQ(packets[2].hex.substr(0, 24), "020000000003020000000002");
}

}  // namespace
}  // namespace perfpact::traffic
