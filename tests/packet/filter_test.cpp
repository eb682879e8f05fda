#include "packet/filter.h"

#include "reported.h"

namespace perfpact::packet {
namespace {

TEST(FilterTest, PassesWhatItSays) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const auto filter = compile_filter("arp or ether[0] = 7", {}, diagnostics);
  ASSERT_TRUE(filter) << diagnostics.render();
  std::vector<std::uint8_t> packet(60);
  EXPECT_FALSE(passes(*filter, packet));
  packet[0] = 7;
  EXPECT_TRUE(passes(*filter, packet));
  packet[0] = 0;
  packet[12] = 8;
  packet[13] = 6;
  EXPECT_TRUE(passes(*filter, packet));
  EXPECT_FALSE(passes(*filter, std::span(packet).first(13))) << "too short to tell";
}

TEST(FilterTest, SaysWhatIsWrong) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  EXPECT_FALSE(compile_filter("host", {}, diagnostics));
  EXPECT_TRUE(test::reported(diagnostics).contains("'host' is no filter of packets"));
}

}  // namespace
}  // namespace perfpact::packet
