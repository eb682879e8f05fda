// The packet of a pass as explored: what was emitted before, then what is left of the packet that came in,
// of which every byte is a symbol and the length too.
// Tested by tests/explore/packet_test.cpp.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "smt/context.h"

namespace perfpact::explore {

inline constexpr std::uint32_t kLengthBits = 32;  // of lengths and positions in the program

class Packet {
 public:
  /// The i-th byte (8 bits) of the packet that came in; zero where that is shorter.
  using Arrived = std::function<smt::Expr(std::uint64_t i)>;

  /// Bytes and bits, of kLengthBits; `arrived` is the length in bytes of the packet that came in.
  [[nodiscard]] smt::Expr length(smt::Context& context, smt::Expr arrived) const;
  [[nodiscard]] smt::Expr remaining(smt::Context& context, smt::Expr arrived) const;
  /// `bits` (>= 1) bits at cursor + offset; those behind the end are zero.
  [[nodiscard]] smt::Expr peek(smt::Context& context, const Arrived& arrived, std::uint64_t offset,
                               std::uint32_t bits) const;
  /// `bits` are there.
  void advance(std::uint64_t bits) { cursor_ += bits; }
  /// The value's bits go to the output.
  void emit(smt::Expr value);
  /// What was emitted becomes the packet, then what was behind the cursor; the last byte is filled up with
  /// zeros. The cursor goes to 0.
  void commit(smt::Context& context);

 private:
  struct Piece {
    std::uint64_t begin;  // bit
    smt::Expr value;
  };
  struct Pieces {
    std::vector<Piece> pieces;
    std::uint64_t bits = 0;
    void append(smt::Expr value);
  };
  /// Bits of the packet that came in, over which there are more than those of head_.
  [[nodiscard]] std::int64_t surplus() const {
    return static_cast<std::int64_t>(head_->bits + padding_) - static_cast<std::int64_t>(tail_);
  }

  std::shared_ptr<const Pieces> head_ = std::make_shared<const Pieces>();
  std::uint64_t tail_ = 0;     // bits of the packet that came in from here on follow
  std::uint64_t padding_ = 0;  // bits of zeros behind those
  std::uint64_t cursor_ = 0;   // bits
  Pieces output_;
};

}  // namespace perfpact::explore
