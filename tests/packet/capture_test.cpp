#include <gtest/gtest.h>
#include <pcap/pcap.h>

#include "packet/capture.h"
#include "reported.h"

namespace perfpact::packet {
namespace {

using test::Folder;
using test::reported;

void write_capture(const std::string& path, int link, const std::vector<Bytes>& packets,
                   std::size_t cut_to = 65535) {
  pcap_t* dead = pcap_open_dead(link, 65535);
  pcap_dumper_t* dumper = pcap_dump_open(dead, path.c_str());
  ASSERT_NE(dumper, nullptr);
  for (const Bytes& packet : packets) {
    pcap_pkthdr header{};
    header.len = static_cast<bpf_u_int32>(packet.size());
    header.caplen = static_cast<bpf_u_int32>(std::min(packet.size(), cut_to));
    pcap_dump(reinterpret_cast<u_char*>(dumper), &header, packet.data());
  }
  pcap_dump_close(dumper);
  pcap_close(dead);
}

std::vector<Bytes> bytes_of(const std::vector<CapturedPacket>& packets) {
  std::vector<Bytes> out;
  for (const CapturedPacket& packet : packets) out.push_back(packet.bytes);
  return out;
}

class CaptureTest : public ::testing::Test {
 protected:
  CaptureTest() : diagnostics(sources) {}
  Folder folder;
  SourceManager sources;
  Diagnostics diagnostics;
};

TEST_F(CaptureTest, ReadsPcap) {
  const std::vector<Bytes> packets{{1, 2, 3}, {}, {4}};
  write_capture(folder.path("a.pcap"), DLT_EN10MB, packets);
  const auto read = read_capture(folder.path("a.pcap"), {}, diagnostics);
  ASSERT_TRUE(read) << diagnostics.render();
  EXPECT_EQ(bytes_of(*read), packets);
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST_F(CaptureTest, ReadsPcapng) {
  // Section header, interface (Ethernet), one enhanced packet of 3 bytes, all little-endian.
  SourceManager ignored;
  const auto bytes = parse_hex(
      "0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000"
      "01000000 14000000 0100 0000 00000400 14000000"
      "06000000 24000000 00000000 00000000 00000000 03000000 03000000 0a0b0c00 24000000",
      {}, diagnostics);
  ASSERT_TRUE(bytes);
  const std::string path = folder.write("a.pcapng", std::string(bytes->begin(), bytes->end()));
  const auto read = read_capture(path, {}, diagnostics);
  ASSERT_TRUE(read) << diagnostics.render();
  EXPECT_EQ(bytes_of(*read), (std::vector<Bytes>{{0x0a, 0x0b, 0x0c}}));
}

TEST_F(CaptureTest, TruncatedSaysHowManyPacketsWereWhole) {
  const std::string path = folder.path("a.pcap");
  write_capture(path, DLT_EN10MB, {{1, 2, 3}, {4, 5, 6}});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 2);
  EXPECT_FALSE(read_capture(path, {}, diagnostics));
  EXPECT_EQ(
      reported(diagnostics),
      fmt::format("0:0: '{}' breaks off after 1 whole packets: truncated dump file; tried to read 3 captured "
                  "bytes, only got 1 [truncated-capture]\n",
                  path));
}

TEST_F(CaptureTest, CutPacketsAreFilledWithAWarning) {
  const std::string path = folder.path("a.pcap");
  write_capture(path, DLT_EN10MB, {{1, 2, 3}, {4}}, 2);
  const auto read = read_capture(path, {}, diagnostics);
  ASSERT_TRUE(read);
  EXPECT_EQ(bytes_of(*read), (std::vector<Bytes>{{1, 2, 0}, {4}}));
  EXPECT_EQ(
      reported(diagnostics),
      fmt::format(
          "0:0: 1 of the 2 packets in '{}' were captured in part only; their missing bytes are taken as "
          "zeros [capture-cut-packets]\n",
          path));
}

TEST_F(CaptureTest, OtherLinkType) {
  const std::string path = folder.path("a.pcap");
  write_capture(path, DLT_RAW, {{1}});
  EXPECT_FALSE(read_capture(path, {}, diagnostics));
  EXPECT_EQ(
      reported(diagnostics),
      fmt::format("0:0: '{}' has link type RAW; only Ethernet captures can be read [capture-link-type]\n",
                  path));
}

TEST_F(CaptureTest, NoCaptureAtAll) {
  const std::string empty = folder.write("empty", "");
  const std::string text = folder.write("text", "this is no capture, it is a text");
  EXPECT_FALSE(read_capture(empty, {}, diagnostics));
  EXPECT_FALSE(read_capture(text, {}, diagnostics));
  EXPECT_FALSE(read_capture(folder.path("."), {}, diagnostics));
  EXPECT_FALSE(read_capture(folder.path("none"), {}, diagnostics));
  EXPECT_EQ(reported(diagnostics),
            fmt::format("0:0: '{}' is empty; expected a pcap or pcapng capture [capture-empty]\n"
                        "0:0: '{}' is no pcap or pcapng capture that can be read: unknown file format "
                        "[capture-format]\n"
                        "0:0: cannot read '{}': it is a directory, not a file [cannot-read]\n"
                        "0:0: cannot read '{}': No such file or directory [cannot-read]\n",
                        empty, text, folder.path("."), folder.path("none")));
}

using Precision = CaptureWriter::Precision;

TEST_F(CaptureTest, WhatIsWrittenIsRead) {
  const std::string path = folder.path("a.pcap");
  const std::vector<Bytes> packets{{1, 2, 3}, {}, Bytes(1500, 7)};
  const std::vector<TimeStamp> times{{0, 0}, {1'700'000'000, 123'456'789}, {1'700'000'000, 999'999'999}};
  for (const Precision precision : {Precision::Nanoseconds, Precision::Microseconds}) {
    auto writer = CaptureWriter::create(path, precision, diagnostics);
    ASSERT_TRUE(writer) << diagnostics.render();
    for (std::size_t i = 0; i < packets.size(); ++i) writer->write(packets[i], times[i]);
    ASSERT_TRUE(writer->finish(diagnostics)) << diagnostics.render();
    const auto read = read_capture(path, {}, diagnostics);
    ASSERT_TRUE(read) << diagnostics.render();
    EXPECT_EQ(bytes_of(*read), packets);
    for (std::size_t i = 0; i < packets.size(); ++i) {
      TimeStamp expected = times[i];
      if (precision == Precision::Microseconds) expected.nanoseconds -= expected.nanoseconds % 1000;
      EXPECT_EQ((*read)[i].time, expected);
    }
  }
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST_F(CaptureTest, APacketThatIsTooLongIsCutAndStillReadable) {
  const std::string path = folder.path("a.pcap");
  auto writer = CaptureWriter::create(path, Precision::Microseconds, diagnostics);
  ASSERT_TRUE(writer);
  writer->write(Bytes(262144, 1), {});
  writer->write(Bytes(262145, 1), {});
  ASSERT_TRUE(writer->finish(diagnostics));
  EXPECT_FALSE(read_capture(path, {}, diagnostics));
  EXPECT_EQ(
      reported(diagnostics),
      fmt::format("0:0: '{}' is no pcap or pcapng capture that can be read: packet 2 claims a length of "
                  "262145 bytes [capture-format]\n",
                  path));
}

TEST_F(CaptureTest, AnUnfinishedCaptureLeavesWhatWasThere) {
  const std::string path = folder.write("a.pcap", "what was there");
  {
    auto writer = CaptureWriter::create(path, Precision::Microseconds, diagnostics);
    ASSERT_TRUE(writer);
    writer->write(Bytes{1}, {});
    EXPECT_EQ(std::filesystem::file_size(path), 14U);
  }
  EXPECT_EQ(std::filesystem::file_size(path), 14U);
  const auto files = std::filesystem::directory_iterator(folder.path("."));
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(CaptureTest, CannotWrite) {
  const std::string nowhere = folder.path("none/a.pcap");
  EXPECT_FALSE(CaptureWriter::create(nowhere, Precision::Microseconds, diagnostics));
  EXPECT_FALSE(CaptureWriter::create(folder.path("."), Precision::Microseconds, diagnostics));
  const std::string path = folder.path("a.pcap");
  auto writer = CaptureWriter::create(path, Precision::Microseconds, diagnostics);
  ASSERT_TRUE(writer);
  std::filesystem::create_directories(path);
  EXPECT_FALSE(writer->finish(diagnostics));
  EXPECT_EQ(reported(diagnostics),
            fmt::format("0:0: cannot write '{}': No such file or directory [capture-cannot-write]\n"
                        "0:0: cannot write '{}': it is there and no regular file [capture-cannot-write]\n"
                        "0:0: cannot write '{}': Is a directory [capture-cannot-write]\n",
                        nowhere, folder.path("."), path));
}

}  // namespace
}  // namespace perfpact::packet
