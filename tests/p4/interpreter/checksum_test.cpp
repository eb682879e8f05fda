// The Internet checksum of fields, which the JIT computes in another way than the interpreter.
#include "tests/p4/interpreter/harness.h"

namespace perfpact::p4::core {
namespace {

using ChecksumTest = InterpreterTest;

TEST_F(ChecksumTest, ChecksumOfFieldsOfAnyWidth) {
  const SlotId out = b.slot("out", 64);
  const SlotId valid = b.slot("valid", 1);
  const SlotId always = b.slot("always", 1);
  Hash hash{HashAlgorithm::Csum16, out, {}, false};
  b.add(PacketRead{valid});
  b.set(always, 1);
  for (std::uint32_t width : {6U, 33U, 16U, 70U, 3U, 16U, 9U}) {
    const SlotId field = b.slot(fmt::format("field{}", width), width);
    b.add(PacketRead{field});
    hash.data.push_back({b.of(field), bits(32, width), b.of(width == 33 ? valid : always)});
  }
  b.add(std::move(hash));
  show(out);
  const Bytes zeros(20);
  EXPECT_EQ(run_and_show(zeros), Numbers{0xffff});
  // The first bit says whether the field of 33 bits counts.
  Bytes ones(20, 0xff);
  EXPECT_EQ(run_and_show(ones), Numbers{0xffff ^ 0xff80}) << "153 ones: 9 words and 9 bits";
  ones[0] = 0x7f;
  EXPECT_EQ(run_and_show(ones), Numbers{0xffff ^ 0xff00}) << "120 ones: 7 words and 8 bits";
  for (std::uint8_t seed = 1; seed < 100; ++seed) {
    Bytes bytes;
    for (unsigned i = 0; i < 20; ++i)
      bytes.push_back(static_cast<std::uint8_t>(seed * 37 * (i + 3) >> (i % 5)));
    static_cast<void>(run(bytes));  // the engines agree
  }
}

}  // namespace
}  // namespace perfpact::p4::core
