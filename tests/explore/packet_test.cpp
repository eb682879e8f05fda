#include "explore/p4/packet.h"

#include <gtest/gtest.h>

#include <random>

#include "p4/interpreter/packet_buffer.h"
#include "smt/model.h"

namespace perfpact::explore {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kLongest = 12;

// A packet of symbols and the interpreter's buffer do the same.
class PacketTest : public testing::TestWithParam<unsigned> {
 protected:
  PacketTest() : random(GetParam()) {
    bytes.resize(random() % (kLongest + 1));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    model->set(length, smt::Value(16, bytes.size()));
    for (std::size_t i = 0; i < kLongest; ++i) {
      symbols.push_back(context.symbol(fmt::format("packet[{}]", i), 8));
      // What is behind the end has any value in the model.
      model->set(symbols[i], smt::Value(8, i < bytes.size() ? bytes[i] : random()));
    }
  }

  Integer value(smt::Expr expr) { return smt::Evaluation(model).value(expr).number(); }
  smt::Expr arrived(std::uint64_t i) {
    if (i >= kLongest) return context.zero(8);
    return context.ite(context.ult(context.constant(16, i), length), symbols[i], context.zero(8));
  }
  void compare() {
    EXPECT_EQ(value(packet.length(context, length)), buffer().length());
    EXPECT_EQ(value(packet.remaining(context, length)), buffer().remaining());
    const auto offset = static_cast<std::uint32_t>(random() % 40);
    const auto bits = static_cast<std::uint32_t>(1 + random() % 70);
    const auto byte = [this](std::uint64_t i) { return arrived(i); };
    EXPECT_EQ(value(packet.peek(context, byte, offset, bits)), buffer().peek(bits, offset));
  }
  p4::interpreter::PacketBuffer& buffer() {
    if (!buffer_) buffer_.emplace(std::make_shared<const Bytes>(bytes));
    return *buffer_;
  }

  std::mt19937 random;
  smt::Context context;
  std::shared_ptr<smt::Model> model = std::make_shared<smt::Model>();
  smt::Expr length = context.symbol("length", 16);
  std::vector<smt::Expr> symbols;
  Bytes bytes;
  Packet packet;

 private:
  std::optional<p4::interpreter::PacketBuffer> buffer_;
};

TEST_P(PacketTest, AgreesWithTheInterpreters) {
  for (int step = 0; step < 60; ++step) {
    compare();
    switch (random() % 3) {
      case 0: {
        const std::uint64_t bits = std::min<std::uint64_t>(random() % 20, buffer().remaining());
        packet.advance(bits);
        buffer().advance(bits);
        break;
      }
      case 1: {
        const auto bits = static_cast<std::uint32_t>(1 + random() % 20);
        const Integer number = random() & ((1U << bits) - 1);
        packet.emit(context.constant(bits, number));
        buffer().emit(number, bits);
        break;
      }
      default:
        packet.commit(context);
        buffer().commit();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, PacketTest, testing::Range(0U, 50U));

}  // namespace
}  // namespace perfpact::explore
