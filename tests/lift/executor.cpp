#include "executor.h"

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <bit>

#include "base/check.h"
#include "program/ir/conventions.h"

namespace perfpact::lift {
namespace {

using llvm::APInt;
using program::ir::Intrinsic;
using Fields = std::array<APInt, kFields>;

APInt& at(Fields& fields, Field field) {
  return fields[static_cast<std::size_t>(field)];
}

struct RegisterBit {
  Field field;
  std::uint64_t mask;
};
constexpr std::array<RegisterBit, 6> kBits{{{Field::Cf, x86::kCf},
                                            {Field::Af, x86::kAf},
                                            {Field::Zf, x86::kZf},
                                            {Field::Sf, x86::kSf},
                                            {Field::Df, x86::kDf},
                                            {Field::Of, x86::kOf}}};

Fields to_fields(const x86::Registers& registers) {
  Fields fields;
  for (std::size_t i = 0; i < x86::kGprs; ++i) at(fields, gpr(i)) = APInt(64, registers.gpr[i]);
  for (std::size_t i = 0; i < x86::kXmms; ++i) at(fields, xmm(i)) = APInt(128, registers.xmm[i]);
  for (const auto& [field, mask] : kBits) at(fields, field) = APInt(1, (registers.rflags & mask) != 0);
  at(fields, Field::Parity) = APInt(8, (registers.rflags & x86::kPf) == 0);
  at(fields, Field::FsBase) = APInt(64, registers.fs_base);
  at(fields, Field::GsBase) = APInt(64, registers.gs_base);
  return fields;
}

void from_fields(Fields& fields, x86::Registers& registers) {
  for (std::size_t i = 0; i < x86::kGprs; ++i) registers.gpr[i] = at(fields, gpr(i)).getZExtValue();
  for (std::size_t i = 0; i < x86::kXmms; ++i) {
    const APInt& value = at(fields, xmm(i));
    registers.xmm[i] = {value.extractBitsAsZExtValue(64, 0), value.extractBitsAsZExtValue(64, 64)};
  }
  const auto put = [&](std::uint64_t mask, bool is_set) {
    registers.rflags = is_set ? registers.rflags | mask : registers.rflags & ~mask;
  };
  for (const auto& [field, mask] : kBits) put(mask, !at(fields, field).isZero());
  put(x86::kPf, at(fields, Field::Parity).popcount() % 2 == 0);
}

bool holds(llvm::CmpInst::Predicate predicate, const APInt& left, const APInt& right) {
  return llvm::ICmpInst::compare(left, right, predicate);
}

APInt compute(unsigned opcode, const APInt& left, const APInt& right) {
  switch (opcode) {
    case llvm::Instruction::Add:
      return left + right;
    case llvm::Instruction::Sub:
      return left - right;
    case llvm::Instruction::Mul:
      return left * right;
    case llvm::Instruction::UDiv:
      return left.udiv(right);
    case llvm::Instruction::SDiv:
      return left.sdiv(right);
    case llvm::Instruction::URem:
      return left.urem(right);
    case llvm::Instruction::SRem:
      return left.srem(right);
    case llvm::Instruction::And:
      return left & right;
    case llvm::Instruction::Or:
      return left | right;
    case llvm::Instruction::Xor:
      return left ^ right;
    case llvm::Instruction::Shl:
      return left.shl(right);
    case llvm::Instruction::LShr:
      return left.lshr(right);
    case llvm::Instruction::AShr:
      return left.ashr(right);
    default:
      PERFPACT_CHECK(false, "opcode {} is not executed", opcode);
      return left;
  }
}

APInt funnel(bool is_left, const APInt& high, const APInt& low, const APInt& count) {
  const unsigned width = high.getBitWidth();
  const auto steps = static_cast<unsigned>(count.urem(width));
  const APInt both = high.concat(low);
  return is_left ? both.shl(steps).extractBits(width, width) : both.lshr(steps).trunc(width);
}

APInt compute(llvm::Intrinsic::ID id, std::span<const APInt* const> operands) {
  const APInt& first = *operands[0];
  const unsigned width = first.getBitWidth();
  const auto second = [&]() -> const APInt& { return *operands[1]; };
  switch (id) {
    case llvm::Intrinsic::ctpop:
      return APInt(width, first.popcount());
    case llvm::Intrinsic::ctlz:
      return APInt(width, first.countl_zero());
    case llvm::Intrinsic::cttz:
      return APInt(width, first.countr_zero());
    case llvm::Intrinsic::bswap:
      return first.byteSwap();
    case llvm::Intrinsic::bitreverse:
      return first.reverseBits();
    case llvm::Intrinsic::abs:
      return first.abs();
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return funnel(id == llvm::Intrinsic::fshl, first, second(), *operands[2]);
    case llvm::Intrinsic::uadd_sat:
      return first.uadd_sat(second());
    case llvm::Intrinsic::usub_sat:
      return first.usub_sat(second());
    case llvm::Intrinsic::sadd_sat:
      return first.sadd_sat(second());
    case llvm::Intrinsic::ssub_sat:
      return first.ssub_sat(second());
    case llvm::Intrinsic::umin:
      return llvm::APIntOps::umin(first, second());
    case llvm::Intrinsic::umax:
      return llvm::APIntOps::umax(first, second());
    case llvm::Intrinsic::smin:
      return llvm::APIntOps::smin(first, second());
    case llvm::Intrinsic::smax:
      return llvm::APIntOps::smax(first, second());
    default:
      PERFPACT_CHECK(false, "intrinsic {} is not executed", id);
      return first;
  }
}

APInt from_bytes(std::span<const std::uint8_t> bytes) {
  APInt value(static_cast<unsigned>(8 * bytes.size()), 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) value.insertBits(bytes[i], static_cast<unsigned>(8 * i), 8);
  return value;
}

std::vector<std::uint8_t> to_bytes(const APInt& value) {
  std::vector<std::uint8_t> bytes(value.getBitWidth() / 8);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(value.extractBitsAsZExtValue(8, static_cast<unsigned>(8 * i)));
  return bytes;
}

}  // namespace

// Values in slots, by number; constants are in theirs from the start.
class Executor::Compiled {
 public:
  explicit Compiled(const llvm::Function& function) : function_(function) {
    for (const llvm::BasicBlock& block : function) {
      std::vector<Step>& steps = blocks_[&block];
      for (const llvm::Instruction& source : block) {
        Step step{.source = &source, .to = slot(&source)};
        if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&source)) {
          step.intrinsic =
              program::ir::find_intrinsic(std::string_view(call->getCalledFunction()->getName()));
          for (const llvm::Value* value : call->args()) step.operands.push_back(slot(value));
        } else {
          for (const llvm::Value* value : source.operands()) step.operands.push_back(slot(value));
        }
        steps.push_back(std::move(step));
      }
    }
  }

  std::uint64_t run(Executor& executor, Fields& fields, Executed& executed) {
    const llvm::BasicBlock* from = nullptr;
    const llvm::BasicBlock* block = &function_.getEntryBlock();
    while (true) {
      const llvm::BasicBlock* next = nullptr;
      for (const Step& step : blocks_.at(block)) {
        if (llvm::isa<llvm::ReturnInst>(step.source)) return operand(step, 0).getZExtValue();
        if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(step.source)) {
          const bool is_second = branch->isConditional() && operand(step, 0).isZero();
          next = branch->getSuccessor(is_second ? 1 : 0);
        } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(step.source)) {
          values_[step.to] = values_[step.operands[static_cast<std::size_t>(phi->getBasicBlockIndex(from))]];
        } else {
          execute(executor, step, fields, executed);
        }
      }
      from = std::exchange(block, next);
    }
  }

 private:
  struct Step {
    const llvm::Instruction* source = nullptr;
    std::size_t to = 0;
    std::vector<std::size_t> operands;
    std::optional<program::ir::IntrinsicId> intrinsic;
  };

  std::size_t slot(const llvm::Value* value) {
    const auto [place, is_new] = slots_.try_emplace(value, values_.size());
    if (is_new) {
      const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
      values_.push_back(constant != nullptr ? constant->getValue() : APInt(1, 0));
    }
    return place->second;
  }

  [[nodiscard]] const APInt& operand(const Step& step, std::size_t number) const {
    return values_[step.operands[number]];
  }

  [[nodiscard]] APInt& field(const llvm::Value* pointer, Fields& fields) const {
    if (pointer == function_.getArg(0)) return fields[0];
    const auto* address = llvm::cast<llvm::GEPOperator>(pointer);
    PERFPACT_CHECK(address->getPointerOperand() == function_.getArg(0), "not a field of the machine");
    return fields[llvm::cast<llvm::ConstantInt>(address->getOperand(2))->getZExtValue()];
  }

  void execute(Executor& executor, const Step& step, Fields& fields, Executed& executed) {
    const llvm::Instruction& source = *step.source;
    if (llvm::isa<llvm::GetElementPtrInst>(source)) return;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&source)) {
      field(store->getPointerOperand(), fields) = operand(step, 0);
      return;
    }
    APInt& result = values_[step.to];
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&source)) {
      result = field(load->getPointerOperand(), fields);
    } else if (step.intrinsic) {
      call(executor, step, executed);
    } else if (const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(&source)) {
      std::array<const APInt*, 3> operands{};
      for (std::size_t i = 0; i < step.operands.size(); ++i) operands[i] = &operand(step, i);
      result = compute(known->getIntrinsicID(), operands);
    } else if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&source)) {
      result = APInt(1, holds(comparison->getPredicate(), operand(step, 0), operand(step, 1)));
    } else if (llvm::isa<llvm::SelectInst>(source)) {
      result = APInt(operand(step, operand(step, 0).isZero() ? 2 : 1));
    } else if (llvm::isa<llvm::CastInst>(source)) {
      const unsigned width = source.getType()->getIntegerBitWidth();
      const APInt& value = operand(step, 0);
      result = llvm::isa<llvm::SExtInst>(source) ? value.sext(width) : value.zextOrTrunc(width);
    } else {
      result = compute(source.getOpcode(), operand(step, 0), operand(step, 1));
    }
  }

  void call(Executor& executor, const Step& step, Executed& executed) {
    switch (step.intrinsic->intrinsic) {
      case Intrinsic::Instruction:
        executed.sites.push_back(static_cast<std::uint32_t>(operand(step, 1).getZExtValue()));
        break;
      case Intrinsic::MemoryLoad: {
        std::vector<std::uint8_t> bytes(step.intrinsic->width / 8);
        executor.memory_.load(operand(step, 1).getZExtValue(), bytes);
        values_[step.to] = from_bytes(bytes);
        break;
      }
      case Intrinsic::MemoryStore:
        executor.memory_.store(operand(step, 1).getZExtValue(), to_bytes(operand(step, 2)));
        break;
      case Intrinsic::Trap:
        executed.trap = static_cast<Trap>(operand(step, 1).getZExtValue());
        break;
      case Intrinsic::Time:
        values_[step.to] = APInt(64, executor.time_());
        break;
      default:
        PERFPACT_CHECK(false, "not called by lifted code");
    }
  }

  const llvm::Function& function_;
  std::unordered_map<const llvm::BasicBlock*, std::vector<Step>> blocks_;
  std::unordered_map<const llvm::Value*, std::size_t> slots_;
  std::vector<APInt> values_;
};

Executor::Executor(Memory memory, std::function<std::uint64_t()> time)
    : memory_(std::move(memory)), time_(std::move(time)) {}

Executor::~Executor() = default;

Executed Executor::run(const Block& block, x86::Registers& registers) {
  std::unique_ptr<Compiled>& compiled = compiled_[block.function];
  if (compiled == nullptr) compiled = std::make_unique<Compiled>(*block.function);
  Executed executed;
  Fields fields = to_fields(registers);
  registers.rip = compiled->run(*this, fields, executed);
  from_fields(fields, registers);
  return executed;
}

}  // namespace perfpact::lift
