// The packet of a pass: a cursor over the input bits and an output buffer (core.h, "The packet").
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/number.h"
#include "packet/bit_writer.h"

namespace perfpact::p4::interpreter {

class PacketBuffer {
 public:
  using Bytes = std::vector<std::uint8_t>;
  explicit PacketBuffer(std::shared_ptr<const Bytes> input) : input_(std::move(input)) {}

  /// Bytes.
  [[nodiscard]] std::uint64_t length() const { return input_->size(); }
  /// Bits behind the cursor.
  [[nodiscard]] std::uint64_t remaining() const { return 8 * input_->size() - cursor_; }
  [[nodiscard]] const std::shared_ptr<const Bytes>& input() const { return input_; }

  /// `bits` bits at cursor + offset; those behind the end are zero.
  [[nodiscard]] Integer peek(std::uint32_t bits, std::uint64_t offset = 0) const;
  /// Moves the cursor, at most to the end.
  void advance(std::uint64_t bits);
  /// The bits behind the cursor as bytes, the last one filled up with zeros.
  [[nodiscard]] Bytes payload() const;

  /// The low `bits` of the value go to the output buffer.
  void emit(const Integer& value, std::uint32_t bits) { output_.append(value, bits); }
  /// The input becomes the output buffer, then what was behind the cursor; the last byte is filled up with
  /// zeros. The cursor goes to 0.
  void commit();

 private:
  std::shared_ptr<const Bytes> input_;  // shared by the passes that began with it
  std::uint64_t cursor_ = 0;            // bits; at most 8 * length
  packet::BitWriter output_;
};

}  // namespace perfpact::p4::interpreter
