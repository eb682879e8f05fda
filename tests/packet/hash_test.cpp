#include "packet/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/check.h"

namespace perfpact::packet {
namespace {

using Bytes = std::vector<std::uint8_t>;

const Bytes kCheck{'1', '2', '3', '4', '5', '6', '7', '8', '9'};

TEST(Hash, CheckValues) {
  EXPECT_EQ(hash_value(HashAlgorithm::Crc32, kCheck), 0xcbf43926U);
  EXPECT_EQ(hash_value(HashAlgorithm::Crc32Custom, kCheck), 0xcbf43926U);
  EXPECT_EQ(hash_value(HashAlgorithm::Crc16, kCheck), 0xbb3dU);
  EXPECT_EQ(hash_value(HashAlgorithm::Crc16Custom, kCheck), 0xbb3dU);
}

TEST(Hash, InternetChecksum) {
  // The example of RFC 1071, section 3: the sum is ddf2.
  EXPECT_EQ(hash_value(HashAlgorithm::Csum16, Bytes{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7}),
            0x220dU);
  // A well-known IPv4 header, its checksum zero: b861.
  EXPECT_EQ(
      hash_value(HashAlgorithm::Csum16, Bytes{0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                                              0x00, 0x00, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7}),
      0xb861U);
  EXPECT_EQ(hash_value(HashAlgorithm::Csum16, Bytes{0x12}), 0xedffU) << "an odd byte is the high one";
  EXPECT_EQ(hash_value(HashAlgorithm::Csum16, Bytes(40000, 0xff)), 0U) << "carries fold more than once";
  EXPECT_EQ(hash_value(HashAlgorithm::Csum16, Bytes{0xff, 0xff, 0x00, 0x01}), 0xfffeU);
}

TEST(Hash, ExclusiveOr) {
  EXPECT_EQ(hash_value(HashAlgorithm::Xor16, Bytes{0x12, 0x34, 0x50, 0x0f, 0x80}), 0xc23bU);
}

TEST(Hash, Identity) {
  EXPECT_EQ(hash_value(HashAlgorithm::Identity, Bytes{0x12, 0x34, 0x56}), 0x123456U);
  EXPECT_EQ(hash_value(HashAlgorithm::Identity, kCheck), 0x3132333435363738U) << "the first eight";
}

TEST(Hash, OfNothing) {
  EXPECT_EQ(hash_value(HashAlgorithm::Crc32, {}), 0U);
  EXPECT_EQ(hash_value(HashAlgorithm::Crc16, {}), 0U);
  EXPECT_EQ(hash_value(HashAlgorithm::Csum16, {}), 0xffffU);
  EXPECT_EQ(hash_value(HashAlgorithm::Xor16, {}), 0U);
  EXPECT_EQ(hash_value(HashAlgorithm::Identity, {}), 0U);
}

TEST(HashDeathTest, RandomIsNoFunctionOfTheData) {
  EXPECT_EXIT((void)hash_value(HashAlgorithm::Random, kCheck), testing::ExitedWithCode(kExitInternalError),
              "hash_value of the random algorithm");
}

}  // namespace
}  // namespace perfpact::packet
