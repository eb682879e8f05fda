// Instructions on the packet.
#include <algorithm>

#include "base/check.h"
#include "p4/interpreter/machine.h"

namespace perfpact::p4::interpreter {

void Machine::execute(const core::PacketLength& length) {
  write(length.to, pass_->packet.length());
}

void Machine::execute(const core::PacketRemaining& remaining) {
  write(remaining.to, pass_->packet.remaining());
}

void Machine::execute(const core::PacketRead& read) {
  const std::uint32_t bits = width_of(read.to);
  write(read.to, pass_->packet.peek(bits));
  pass_->packet.advance(bits);
}

void Machine::execute(const core::PacketReadVarbit& read) {
  const std::uint32_t bits = small_value_of(read.bits);
  PERFPACT_CHECK(bits <= width_of(read.to), "{} bits into a varbit of {}", bits, width_of(read.to));
  write(read.to, pass_->packet.peek(bits));
  pass_->packet.advance(bits);
}

void Machine::execute(const core::PacketPeek& peek) {
  write(peek.to, pass_->packet.peek(width_of(peek.to), peek.offset));
}

void Machine::execute(const core::PacketAdvance& advance) {
  pass_->packet.advance(small_value_of(advance.bits));
}

void Machine::execute(const core::PacketEmit& emit) {
  pass_->packet.emit(value_of(emit.value), emit.value.width);
}

void Machine::execute(const core::PacketEmitVarbit& emit) {
  const std::uint32_t bits = small_value_of(emit.bits);
  PERFPACT_CHECK(bits <= emit.value.width, "{} bits of a varbit of {}", bits, emit.value.width);
  pass_->packet.emit(value_of(emit.value), bits);
}

void Machine::execute(const core::PacketCommit&) {
  pass_->packet.commit();
}

void Machine::execute(const core::PacketTruncate& truncate) {
  const std::uint64_t bytes = small_value_of(truncate.bytes);
  pass_->truncate_to = std::min(bytes, pass_->truncate_to.value_or(bytes));
}

}  // namespace perfpact::p4::interpreter
