#include "workload/workload.h"

#include <gtest/gtest.h>
#include <pcap/pcap.h>

#include "../packet/reported.h"

namespace perfpact::workload {
namespace {

const std::string kHead = "schema: perfpact.workload/1\npackets:\n";

class WorkloadTest : public ::testing::Test {
 protected:
  WorkloadTest() : diagnostics(sources) {}

  std::optional<Workload> load(const std::string& content) {
    auto workload = load_workload(folder.write("w.yaml", content), program, diagnostics);
    if (!workload) return std::nullopt;
    return std::move(*workload);
  }
  std::string fault(const std::string& rows) {
    EXPECT_FALSE(load(kHead + rows)) << rows;
    return test::reported(diagnostics);
  }
  void write_capture(const std::string& name, const std::vector<packet::Bytes>& packets) const {
    pcap_t* dead = pcap_open_dead(DLT_EN10MB, 65535);
    pcap_dumper_t* dumper = pcap_dump_open(dead, folder.path(name).c_str());
    ASSERT_NE(dumper, nullptr);
    for (const packet::Bytes& packet : packets) {
      pcap_pkthdr header{};
      header.len = header.caplen = static_cast<bpf_u_int32>(packet.size());
      pcap_dump(reinterpret_cast<u_char*>(dumper), &header, packet.data());
    }
    pcap_dump_close(dumper);
    pcap_close(dead);
  }

  test::Folder folder;
  SourceManager sources;
  Diagnostics diagnostics;
  std::vector<packet::HeaderLayout> program{{"cpu_t", {{"reason", 4}, {"port", 12}}}};
};

TEST_F(WorkloadTest, RowsOfEveryKind) {
  write_capture("trace.pcap", {{1}, {2}, {1}, {3}});
  const auto workload = load(
      "schema: perfpact.workload/1\n"
      "state: zero\n"
      "packets:\n"
      "  - name: not ip\n"
      "    probability: 33/100\n"
      "    port: 3\n"
      "    headers:\n"
      "      - ethernet: {dst: 02:00:00:00:00:01, src: 02:00:00:00:00:02, type: 0x0806}\n"
      "    payload: 4\n"
      "  - name: routed\n"
      "    probability: 0.33\n"
      "    headers: [ethernet, ipv4: {dst: 10.0.0.1}, udp: {dport: 53}]\n"
      "    payload: {hex: \"ab cd\"}\n"
      "  - name: own\n"
      "    probability: 4/100\n"
      "    headers: [cpu_t: {port: 0xabc}, udp: ]\n"
      "  - {name: raw, probability: 1/10, hex: 00:01}\n"
      "  - {name: captured, probability: 2e-1, pcap: trace.pcap, port: 7}\n");
  ASSERT_TRUE(workload) << diagnostics.render();
  EXPECT_EQ(workload->rest, 0);
  ASSERT_EQ(workload->rows.size(), 5U);
  const auto bytes = [&](std::size_t row) {
    return packet::to_hex(workload->rows[row].packets.at(0).packet.bytes);
  };
  EXPECT_EQ(workload->rows[0].name, "not ip");
  EXPECT_EQ(workload->rows[0].probability, Rational(33, 100));
  EXPECT_EQ(workload->rows[0].packets[0].packet.port, 3U);
  EXPECT_EQ(workload->rows[0].packets[0].share, 1);
  EXPECT_EQ(bytes(0),
            "02000000000102000000000208060000"
            "0000");
  EXPECT_EQ(bytes(1).size(), 2 * (14 + 20 + 8 + 2));
  EXPECT_TRUE(bytes(1).starts_with("0000000000000000000000000800450000")) << bytes(1);
  EXPECT_TRUE(bytes(1).ends_with("abcd")) << bytes(1);
  EXPECT_EQ(bytes(2), "0abc0000000000080000");
  EXPECT_EQ(bytes(3), "0001");
  ASSERT_EQ(workload->rows[4].packets.size(), 3U);
  EXPECT_EQ(workload->rows[4].packets[0].packet, (program::InputPacket{7, {1}}));
  EXPECT_EQ(workload->rows[4].packets[0].share, Rational(1, 2));
  EXPECT_EQ(workload->rows[4].packets[2].packet, (program::InputPacket{7, {3}}));
  EXPECT_EQ(workload->rows[4].packets[2].share, Rational(1, 4));
}

TEST_F(WorkloadTest, Weights) {
  const auto workload = load(kHead +
                             "  - {name: a, weight: 1, hex: '00'}\n"
                             "  - {name: b, weight: 3/2, hex: '00'}\n"
                             "  - {name: c, weight: 0, hex: '00'}\n");
  ASSERT_TRUE(workload) << diagnostics.render();
  EXPECT_EQ(workload->rows[0].probability, Rational(2, 5));
  EXPECT_EQ(workload->rows[1].probability, Rational(3, 5));
  EXPECT_EQ(workload->rows[2].probability, Rational(0));
  EXPECT_EQ(workload->rest, 0);
}

TEST_F(WorkloadTest, UnknownRowsShareTheRest) {
  const auto workload = load(kHead +
                             "  - {name: a, probability: 1/3, hex: '00'}\n"
                             "  - {name: b, probability: unknown, hex: '00'}\n"
                             "  - {name: c, probability: unknown, hex: '01'}\n");
  ASSERT_TRUE(workload) << diagnostics.render();
  EXPECT_EQ(workload->rest, Rational(2, 3));
  EXPECT_FALSE(workload->rows[1].probability);
}

TEST_F(WorkloadTest, NothingLeftForUnknownRows) {
  EXPECT_TRUE(load(kHead + "  - {name: a, probability: 1, hex: '00'}\n"
                           "  - {name: b, probability: unknown, hex: '00'}\n"));
  EXPECT_EQ(test::reported(diagnostics),
            "3:3: the known probabilities sum to 1, so the rows of unknown probability have probability 0 "
            "[workload-nothing-left]\n");
}

TEST_F(WorkloadTest, SumBelowOne) {
  EXPECT_EQ(
      fault("  - {name: a, probability: 1/3, hex: '00'}\n  - {name: b, probability: 0.66, hex: '00'}\n"),
      "3:3: the probabilities sum to 149/150 (0.9933333333333), which is 1/150 (0.006666666666667) less than "
      "1 "
      "[workload-probability-sum]\n");
}
TEST_F(WorkloadTest, SumAboveOneEvenWithUnknownRows) {
  EXPECT_EQ(fault("  - {name: a, probability: 0.5, hex: '00'}\n  - {name: b, probability: 0.75, hex: '00'}\n"
                  "  - {name: c, probability: unknown, hex: '00'}\n"),
            "3:3: the probabilities sum to 5/4 (1.25), which is 1/4 (0.25) more than 1 "
            "[workload-probability-sum]\n");
}
TEST_F(WorkloadTest, ZeroWeights) {
  EXPECT_EQ(fault("  - {name: a, weight: 0, hex: '00'}\n"),
            "3:3: all weights are zero [workload-zero-weights]\n");
}

TEST_F(WorkloadTest, SeveralFaultsAtOnce) {
  EXPECT_EQ(
      fault("  - {name: a, probability: 3/2, hex: '00'}\n"                             // line 3
            "  - {name: a, probability: -1, hex: '0'}\n"                               // 4
            "  - {name: b, probability: often, hex: '00'}\n"                           // 5
            "  - {name: c, hex: '00'}\n"                                               // 6
            "  - {name: d, probability: 0, weight: 1, hex: '00'}\n"                    // 7
            "  - {name: e, probability: 0}\n"                                          // 8
            "  - {name: f, probability: 0, hex: '00', pcap: x}\n"                      // 9
            "  - {name: g, probability: 0, hex: '00', payload: 4}\n"                   // 10
            "  - {name: h, probability: 0, headers: [ethernt]}\n"                      // 11
            "  - {name: i, probability: 0, headers: [udp: {dprt: 1}], prt: 1}\n"       // 12
            "  - {name: j, probability: 0, headers: [{udp: , tcp: }, [1], udp: 5]}\n"  // 13
            "  - {name: k, probability: 0, headers: udp, payload: many}\n"             // 14
            "  - {name: l, probability: 0, pcap: none.pcap}\n"                         // 15
            "  - {probability: 0, hex: '00', port: -1}\n"                              // 16
            "  - 17\n"),
      fmt::format(
          "3:28: probability 3/2 (1.5) is not between 0 and 1 [workload-probability-range]\n"
          "4:12: there are two rows of the name 'a' [workload-name-twice]\n"
          "4:28: probability -1 is not between 0 and 1 [workload-probability-range]\n"
          "4:37: not a packet in hex: the number of digits is odd [packet-bad-hex]\n"
          "5:28: probability (a number, a fraction or 'unknown') must be a number or a fraction like 1/3, "
          "not "
          "'often' [yaml-expected]\n"
          "6:5: row 'c' has neither; expected exactly one of probability and weight [workload-frequency]\n"
          "7:5: row 'd' has both; expected exactly one of probability and weight [workload-frequency]\n"
          "8:5: row 'e' has none; expected exactly one of headers, hex, pcap [workload-packet-form]\n"
          "9:5: row 'f' has several; expected exactly one of headers, hex, pcap [workload-packet-form]\n"
          "10:51: 'payload' goes with 'headers' only [workload-payload]\n"
          "11:41: there is no header 'ethernt'; did you mean 'ethernet'? [packet-unknown-header]\n"
          "12:47: header 'udp' has no field 'dprt'; did you mean 'dport'? [packet-unknown-field]\n"
          "12:58: unknown key 'prt' in a row of packets; did you mean 'port'? [yaml-unknown-key]\n"
          "13:41: a header is written as a name or as 'name: {{field: value}}', not as a mapping of 2 keys "
          "[workload-header-form]\n"
          "13:57: a header is written as a name or as 'name: {{field: value}}', not as a list "
          "[workload-header-form]\n"
          "13:67: header 'udp' must be a mapping of fields, not '5' [yaml-expected]\n"
          "14:40: headers must be a list, not 'udp' [yaml-expected]\n"
          "14:54: payload must be a non-negative whole number, not 'many' [yaml-expected]\n"
          "15:37: cannot read '{}': No such file or directory [cannot-read]\n"
          "16:5: a row of packets needs a key 'name' [yaml-missing-key]\n"
          "16:39: port must be a non-negative whole number, not '-1' [yaml-expected]\n"
          "17:5: a row of packets must be a mapping, not '17' [yaml-expected]\n",
          folder.path("none.pcap")));
}

TEST_F(WorkloadTest, MixedWeightsAreReportedOnce) {
  EXPECT_EQ(fault("  - {name: a, probability: 1/2, hex: '00'}\n  - {name: b, weight: 2, hex: '00'}\n"
                  "  - {name: c, weight: 2, hex: '00'}\n"),
            "4:23: row 'b' has a weight and row 'a' a probability; use one of them on all rows "
            "[workload-mixed-weights]\n");
}
TEST_F(WorkloadTest, NegativeWeight) {
  EXPECT_EQ(fault("  - {name: a, weight: -2, hex: '00'}\n"),
            "3:23: weight -2 is below zero [workload-negative-weight]\n");
}

TEST_F(WorkloadTest, Captures) {
  write_capture("empty.pcap", {});
  write_capture("cut.pcap", {{1, 2, 3}});
  std::filesystem::resize_file(folder.path("cut.pcap"),
                               std::filesystem::file_size(folder.path("cut.pcap")) - 1);
  EXPECT_EQ(
      fault(
          "  - {name: a, probability: 0, pcap: empty.pcap}\n  - {name: b, probability: 1, pcap: cut.pcap}\n"),
      fmt::format(
          "3:37: capture '{}' holds no packet [workload-empty-capture]\n"
          "4:37: '{}' breaks off after 0 whole packets: truncated dump file; tried to read 3 captured "
          "bytes, only got 2 [truncated-capture]\n",
          folder.path("empty.pcap"), folder.path("cut.pcap")));
}

TEST_F(WorkloadTest, State) {
  const std::string rows = "packets:\n  - {name: a, probability: 1, hex: '00'}\n";
  EXPECT_FALSE(load("schema: perfpact.workload/1\nstate: unknown\n" + rows));
  EXPECT_FALSE(load("schema: perfpact.workload/1\nstate: zeroo\n" + rows));
  EXPECT_EQ(test::reported(diagnostics),
            "2:8: not supported yet: state: unknown (registers and counters start at zero: state: zero) "
            "[workload-state-unknown]\n"
            "2:8: state is zero or unknown, not 'zeroo'; did you mean 'zero'? [workload-state]\n");
}

TEST_F(WorkloadTest, NoRows) {
  EXPECT_FALSE(load("schema: perfpact.workload/1\npackets: []\n"));
  EXPECT_FALSE(load("schema: perfpact.workload/1\npackets: 3\n"));
  EXPECT_FALSE(load(""));
  EXPECT_FALSE(load("- 1\n"));
  EXPECT_EQ(test::reported(diagnostics),
            "2:10: a workload needs at least one row of packets [workload-no-rows]\n"
            "2:10: packets must be a list, not '3' [yaml-expected]\n"
            "0:0: the file is empty; expected a YAML mapping [yaml-empty]\n"
            "1:1: workload must be a mapping, not a list [yaml-expected]\n");
}

}  // namespace
}  // namespace perfpact::workload
