// How blocks are made, for the families of instructions (arithmetic.cpp, moves.cpp, ...): one handler a
// mnemonic, called with the block that is being made, standing behind the call of `perfpact.instruction`.
//
//   void add(BlockLifter& block) {
//     const Value left = block.read(0), right = block.read(1);
//     ...
//     block.write(0, sum);
//   }
//
// A handler reads what it needs before it writes. It may end the block (leave, branch, trap). A further
// family is a function that fills in handlers, called in handlers.cpp.
#pragma once
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <bitset>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "lift/lifter.h"
#include "program/ir/conventions.h"

namespace perfpact::lift {

using Value = llvm::Value*;
using LazyValue = std::function<Value()>;

/// As encoded in the low bits of jcc, setcc and cmovcc (Intel SDM vol. 2, B.1.4.7); odd ones negate.
enum class Condition : std::uint8_t { O, NO, B, NB, Z, NZ, BE, NBE, S, NS, P, NP, L, NL, LE, NLE };

class BlockLifter {
 public:
  BlockLifter(llvm::Function& function, Block& block, const CodeSource& source);

  /// Appends the instruction, whose site has this number; of one that repeats the next site stands for no
  /// iteration.
  void lift(const x86::Instruction& instruction, std::uint32_t site);
  [[nodiscard]] bool ended() const { return ended_; }

  [[nodiscard]] llvm::IRBuilder<>& ir() { return ir_; }
  [[nodiscard]] const x86::Instruction& instruction() const { return *instruction_; }
  [[nodiscard]] std::uint32_t site() const { return site_; }
  /// Calls `perfpact.instruction`; done before the handler unless the instruction repeats.
  void begin(std::uint32_t site);

  // Operands, by number (operands.cpp). Registers, memory and immediates alike.
  [[nodiscard]] const ZydisDecodedOperand& operand(unsigned number) const;
  [[nodiscard]] bool is_memory(unsigned number) const;
  [[nodiscard]] bool is_register(unsigned number) const;
  [[nodiscard]] bool same_register(unsigned left, unsigned right) const;
  [[nodiscard]] unsigned width(unsigned number = 0) const { return operand(number).size; }
  /// Of the operand's width; an immediate, sign-extended where its encoding is, of the first operand's.
  [[nodiscard]] Value read(unsigned number);
  /// The low bits of a register, so many bits of memory, an immediate of this width.
  [[nodiscard]] Value read(unsigned number, unsigned bits);
  /// A value of the operand's width. 32 bits clear the upper half of a general register, fewer leave the
  /// rest; bits of an xmm register above the value's width are kept.
  void write(unsigned number, Value value);
  /// To a register: all of it stays as it was where the condition does not hold.
  void write_where(Value condition, unsigned number, Value value);
  /// Of a memory operand, with its segment's base (not for `lea`'s); so many bytes behind it.
  [[nodiscard]] Value address(unsigned number);
  [[nodiscard]] Value address(unsigned number, Value bytes_behind);

  // Registers.
  [[nodiscard]] Value read_register(ZydisRegister name);
  void write_register(ZydisRegister name, Value value);
  [[nodiscard]] Value read_gpr(x86::Gpr number, unsigned bits = 64);
  void write_gpr(x86::Gpr number, Value value);
  [[nodiscard]] Value field(Field field);
  void set_field(Field field, Value value);

  // Memory.
  [[nodiscard]] Value load(Value address, unsigned bits);
  void store(Value address, Value value);
  void push(Value value);
  [[nodiscard]] Value pop(unsigned bits);
  [[nodiscard]] Value call(program::ir::Intrinsic intrinsic, llvm::ArrayRef<Value> arguments,
                           unsigned width = 0);

  // Flags (flags.cpp). Each is a value, or made when it is first needed.
  [[nodiscard]] Value flag(Field field);
  [[nodiscard]] LazyValue lazy_flag(Field field);  // as it is now
  void set_flag(Field field, Value value);
  void set_flag(Field field, LazyValue value);
  void set_flag(Field field, bool value);
  void set_parity(Value even);
  [[nodiscard]] Value condition(Condition condition);
  /// Zero, sign and parity of a result.
  void set_result_flags(Value result);
  /// Flags of left + right and left - right, with a carry in (null: none).
  void set_add_flags(Value left, Value right, Value result, Value carry = nullptr);
  void set_sub_flags(Value left, Value right, Value result, Value carry = nullptr);
  /// Of and, or, xor, test.
  void set_logic_flags(Value result);
  /// The flags are those of this comparison, without carry where `carries` is false. Forgotten when a flag is
  /// set.
  void set_compared(Value left, Value right, bool carries);
  /// Bits 0 to 11 of rflags, in 64 bits; and back.
  [[nodiscard]] Value pack_flags();
  void unpack_flags(Value value, bool low_byte_only);

  // Values.
  [[nodiscard]] llvm::IntegerType* integer(unsigned bits) { return ir_.getIntNTy(bits); }
  [[nodiscard]] llvm::ConstantInt* constant(unsigned bits, std::uint64_t value) {
    return ir_.getIntN(bits, value);
  }
  [[nodiscard]] llvm::ConstantInt* constant_like(Value value, std::int64_t number) const;
  /// The low bits: looks through what widened the value.
  [[nodiscard]] Value low(Value value, unsigned bits) { return part(value, 0, bits); }
  /// The bits from a position on. Parts that `concat` put together are found again.
  [[nodiscard]] Value part(Value value, unsigned position, unsigned bits);
  /// Values side by side, the lowest first.
  [[nodiscard]] Value concat(llvm::ArrayRef<Value> parts);
  /// The value with those bits from a position on that `part` has.
  [[nodiscard]] Value replace(Value value, unsigned position, Value part);
  [[nodiscard]] Value bit(Value value, unsigned position);
  [[nodiscard]] Value bit(Value value, Value position);
  [[nodiscard]] Value is_zero(Value value);
  [[nodiscard]] Value is_negative(Value value);
  [[nodiscard]] Value unary(llvm::Intrinsic::ID id, Value value) {
    return ir_.CreateUnaryIntrinsic(id, value);
  }
  [[nodiscard]] static unsigned bits(Value value) { return value->getType()->getIntegerBitWidth(); }

  // Ends of the block.
  void leave(Flow flow, Value target);
  void leave(Flow flow, std::uint64_t target) { leave(flow, constant(64, target)); }
  void branch(Value condition, std::uint64_t taken, std::uint64_t otherwise);
  /// The instruction ends the program here; nothing that it has written since is undone.
  void trap(Trap trap);
  /// Where the condition holds, `arm` ends the block; lifting goes on where it does not.
  void when(Value condition, llvm::function_ref<void()> arm);

 private:
  struct Comparison {
    Value left, right;
    bool carries;
  };
  struct State {
    std::array<Value, kFields> values{};
    std::array<LazyValue, kFields> later;  // flags that no value is there for
    std::bitset<kFields> changed;
    std::optional<Comparison> compared;
    std::map<std::tuple<Value, unsigned, unsigned>, Value> parts;  // by value, position, bits
  };

  [[nodiscard]] bool lifts_operands() const;
  [[nodiscard]] Value make_address(const ZydisDecodedOperand& operand, Value bytes_behind);
  [[nodiscard]] Value make_low(Value value, unsigned bits);
  [[nodiscard]] Value make_part(Value value, unsigned position, unsigned bits);
  [[nodiscard]] Value place(Value part, unsigned position, unsigned width);
  void write_part(Field to, unsigned shift, Value value);
  [[nodiscard]] Value load_field(Field field);
  [[nodiscard]] Value field_pointer(Field field);
  [[nodiscard]] Value compared_condition(Condition base, bool negated);
  [[nodiscard]] Value plain_condition(Condition base);
  void store_fields();
  void drop_flags();
  void end(Flow flow);

  llvm::Function& function_;
  Block& block_;
  const CodeSource& source_;
  llvm::IRBuilder<> ir_;
  State state_;
  const x86::Instruction* instruction_ = nullptr;
  std::uint32_t site_ = 0;
  std::array<Value, ZYDIS_MAX_OPERAND_COUNT> addresses_{};  // of this instruction's operands
  bool ended_ = false;
};

[[nodiscard]] std::optional<x86::Instruction> decode_at(const CodeSource& source, std::uint64_t address);

/// Whether the code from an address on may read flags as they are there; false where all are certainly
/// written first (flags_ahead.cpp).
[[nodiscard]] bool may_read_flags(const CodeSource& source, std::uint64_t address);

using Handler = void (*)(BlockLifter&);
using Handlers = std::array<Handler, ZYDIS_MNEMONIC_MAX_VALUE + 1>;  // null: not lifted

[[nodiscard]] const Handlers& handlers();

/// The movsd that is no string instruction.
void move_scalar_double(BlockLifter& block);

void add_arithmetic(Handlers& handlers);
void add_multiplication(Handlers& handlers);
void add_logic(Handlers& handlers);
void add_shifts(Handlers& handlers);
void add_bits(Handlers& handlers);
void add_moves(Handlers& handlers);
void add_conditional(Handlers& handlers);
void add_control(Handlers& handlers);
void add_strings(Handlers& handlers);
void add_system(Handlers& handlers);
void add_vector_moves(Handlers& handlers);
void add_vector_logic(Handlers& handlers);
void add_vector_arithmetic(Handlers& handlers);
void add_vector_multiplication(Handlers& handlers);
void add_vector_shifts(Handlers& handlers);
void add_vector_shuffles(Handlers& handlers);
void add_vector_lanes(Handlers& handlers);
void add_vector_strings(Handlers& handlers);

}  // namespace perfpact::lift
