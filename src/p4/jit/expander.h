// The work of expand.h: one handler an intrinsic (expand.cpp), on bits and words of buffers
// (expand_bits.cpp).
#pragma once
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <optional>
#include <vector>

#include "p4/ir/to_llvm.h"
#include "p4/jit/frame.h"
#include "program/ir/conventions.h"
#include "tables/key_layout.h"

namespace perfpact::p4::jit {

inline constexpr std::uint32_t kWordBits = 64;

class Expander {
 public:
  using Value = llvm::Value*;
  Expander(llvm::Module& module, const core::Program& program, const std::vector<ir::Pass>& passes);

  void run();

 private:
  using Handler = Value (Expander::*)();
  static const std::array<Handler, program::ir::kP4Intrinsics> kHandlers;

  // The call that is replaced.
  [[nodiscard]] Value argument(unsigned i) const { return call_->getArgOperand(i + 1); }
  [[nodiscard]] unsigned arguments() const { return call_->arg_size() - 1; }
  [[nodiscard]] Value machine() const { return call_->getArgOperand(0); }

  void log(std::uint64_t id, unsigned begin);

  // One handler an intrinsic; gives the value of the call, nothing for void.
  Value event();
  Value decide();
  Value loop() { return runtime("loop", bit(), {argument(0), argument(1)}); }
  Value packet_length();
  Value packet_remaining();
  Value packet_peek();
  Value packet_read_varbit();
  Value packet_advance();
  Value packet_emit();
  Value packet_emit_varbit();
  Value packet_commit() { return runtime("commit", none(), {}); }
  Value packet_truncate() { return runtime("truncate", none(), {argument(0)}); }
  Value lookup();
  Value lookup_data();
  Value hash();
  Value register_read();
  Value register_write();
  Value count() { return runtime("count", none(), {argument(0), argument(1)}); }
  Value meter() { return runtime("meter", integer(32), {argument(0), argument(1)}); }
  Value random();
  Value enqueue();
  Value enqueue_group();
  Value enqueue_clone();
  Value send() { return runtime("send", none(), {argument(0)}); }
  Value drop() { return runtime("drop", none(), {}); }
  Value fail() { return runtime("fail", none(), {argument(0)}); }
  Value finish() { return runtime("finish", none(), {argument(0)}); }

  // Memory of which no part is another's, so that LLVM keeps the frame's pointers and positions in registers.
  enum class Memory : std::uint8_t { Frame, Log, Data };
  [[nodiscard]] Value load_from(Memory memory, Value from, llvm::Type* type,
                                llvm::Align alignment = llvm::Align(8));
  void store_to(Memory memory, Value to, Value value, llvm::Align alignment = llvm::Align(8));

  // The frame.
  [[nodiscard]] Value field(std::size_t offset) { return byte_at(machine(), number(offset)); }
  [[nodiscard]] Value load_word(std::size_t offset) {
    return load_from(Memory::Frame, field(offset), integer(64));
  }
  [[nodiscard]] Value load_pointer(std::size_t offset) {
    return load_from(Memory::Frame, field(offset), builder_.getPtrTy());
  }
  void store(std::size_t offset, Value value) { store_to(Memory::Frame, field(offset), value); }

  // Bits of the packet and of other buffers: positions in bits, the first the most significant of byte 0.
  [[nodiscard]] Value read_bits(Value buffer, Value position, std::uint32_t bits);
  [[nodiscard]] Value read_word(Value buffer, Value position, std::uint32_t bits);
  void write_bits(Value buffer, Value position, Value value, std::uint32_t bits);
  void write_word(Value buffer, Value position, Value value, std::uint32_t bits);
  [[nodiscard]] Value append_varbit(Value buffer, Value position, Value value, Value bits);
  /// Of an item whose length is a constant, or a constant or nothing.
  [[nodiscard]] static std::optional<std::uint32_t> fixed_length(Value bits);
  [[nodiscard]] Value append_item(Value buffer, Value position, Value value, Value bits);

  // Checksums of fields, in registers (expand_checksum.cpp).
  [[nodiscard]] bool is_checksum_of_fields() const;
  [[nodiscard]] Value checksum();

  // Words.
  void store_words(Value words, Value value);
  [[nodiscard]] Value load_words(Value words, std::uint32_t bits);
  /// Arguments from the i-th on, each from a word on, to the frame's words.
  void pass_words(unsigned begin);
  [[nodiscard]] Value pass_number(Value function);
  void pass_packed_key(const tables::KeyLayout& layout);

  Value runtime(std::string_view name, llvm::Type* result, std::vector<Value> values);

  [[nodiscard]] llvm::Type* none() { return builder_.getVoidTy(); }
  [[nodiscard]] llvm::IntegerType* bit() { return builder_.getInt1Ty(); }
  [[nodiscard]] llvm::IntegerType* integer(std::uint32_t bits) { return builder_.getIntNTy(bits); }
  [[nodiscard]] llvm::ConstantInt* number(std::uint64_t value) { return builder_.getInt64(value); }
  [[nodiscard]] Value byte_at(Value pointer, Value offset) {
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), pointer, offset);
  }
  [[nodiscard]] Value fit(Value value, std::uint32_t bits) {
    return builder_.CreateZExtOrTrunc(value, integer(bits));
  }
  [[nodiscard]] Value shifted_right(Value value, std::uint64_t by) {
    return by == 0 ? value : builder_.CreateLShr(value, llvm::ConstantInt::get(value->getType(), by));
  }
  [[nodiscard]] Value shifted_left(Value value, std::uint64_t by) {
    return by == 0 ? value : builder_.CreateShl(value, llvm::ConstantInt::get(value->getType(), by));
  }
  [[nodiscard]] Value byte_swap(Value value) {
    return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, value);
  }
  static std::uint32_t width(Value value) { return value->getType()->getIntegerBitWidth(); }

  void add_enter(std::size_t pass);

  llvm::Module& module_;
  const core::Program& program_;
  const std::vector<ir::Pass>& passes_;
  llvm::IRBuilder<> builder_;
  std::array<llvm::MDNode*, 3> memories_{};  // !tbaa
  llvm::CallInst* call_ = nullptr;
};

}  // namespace perfpact::p4::jit
