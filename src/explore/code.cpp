#include "explore/code.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <iterator>
#include <map>

#include "base/check.h"
#include "smt/derived.h"

namespace perfpact::explore {
namespace {

using smt::Context;
using smt::Expr;

template <smt::Op op>
Expr binary(Context& context, const Instruction&, const Expr* operands) {
  return context.make(op, {operands[0], operands[1]});
}

template <Expr (*function)(Context&, Expr, Expr)>
Expr derived(Context& context, const Instruction&, const Expr* operands) {
  return function(context, operands[0], operands[1]);
}

Expr choose(Context& context, const Instruction&, const Expr* operands) {
  return context.ite(operands[0], operands[1], operands[2]);
}

Expr extend_or_cut(Context& context, const Instruction& instruction, const Expr* operands) {
  return smt::resize(context, operands[0], instruction.width);
}

Expr extend_signed(Context& context, const Instruction& instruction, const Expr* operands) {
  return context.sext(operands[0], instruction.width);
}

template <Expr (Context::*compare)(Expr, Expr), bool swapped = false>
Expr compared(Context& context, const Instruction&, const Expr* operands) {
  return swapped ? (context.*compare)(operands[1], operands[0])
                 : (context.*compare)(operands[0], operands[1]);
}

Instruction::Build find_binary(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add:
      return binary<smt::Op::Add>;
    case llvm::Instruction::Sub:
      return binary<smt::Op::Sub>;
    case llvm::Instruction::Mul:
      return binary<smt::Op::Mul>;
    case llvm::Instruction::UDiv:
      return binary<smt::Op::UDiv>;
    case llvm::Instruction::SDiv:
      return binary<smt::Op::SDiv>;
    case llvm::Instruction::URem:
      return binary<smt::Op::URem>;
    case llvm::Instruction::SRem:
      return binary<smt::Op::SRem>;
    case llvm::Instruction::And:
      return binary<smt::Op::And>;
    case llvm::Instruction::Or:
      return binary<smt::Op::Or>;
    case llvm::Instruction::Xor:
      return binary<smt::Op::Xor>;
    case llvm::Instruction::Shl:
      return binary<smt::Op::Shl>;
    case llvm::Instruction::LShr:
      return binary<smt::Op::LShr>;
    case llvm::Instruction::AShr:
      return binary<smt::Op::AShr>;
    default:
      return nullptr;
  }
}

Instruction::Build find_comparison(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      return compared<&Context::eq>;
    case llvm::CmpInst::ICMP_NE:
      return compared<&Context::ne>;
    case llvm::CmpInst::ICMP_ULT:
      return compared<&Context::ult>;
    case llvm::CmpInst::ICMP_ULE:
      return compared<&Context::ule>;
    case llvm::CmpInst::ICMP_UGT:
      return compared<&Context::ult, true>;
    case llvm::CmpInst::ICMP_UGE:
      return compared<&Context::ule, true>;
    case llvm::CmpInst::ICMP_SLT:
      return compared<&Context::slt>;
    case llvm::CmpInst::ICMP_SLE:
      return compared<&Context::sle>;
    case llvm::CmpInst::ICMP_SGT:
      return compared<&Context::slt, true>;
    case llvm::CmpInst::ICMP_SGE:
      return compared<&Context::sle, true>;
    default:
      return nullptr;
  }
}

template <Expr (*function)(Context&, Expr)>
Expr counted(Context& context, const Instruction& instruction, const Expr* operands) {
  return smt::resize(context, function(context, operands[0]), instruction.width);
}

// fshl and fshr: the operands are one value of twice the width, which is shifted.
template <bool left>
Expr funnel_shifted(Context& context, const Instruction& instruction, const Expr* operands) {
  const std::uint32_t width = instruction.width;
  const Expr both = context.concat(operands[0], operands[1]);
  const Expr amount = context.zext(context.urem(operands[2], context.constant(width, width)), 2 * width);
  return left ? context.extract(2 * width - 1, width, context.shl(both, amount))
              : context.extract(width - 1, 0, context.lshr(both, amount));
}

template <Expr (Context::*less)(Expr, Expr), bool greatest>
Expr extreme(Context& context, const Instruction&, const Expr* operands) {
  const Expr is_first_less = (context.*less)(operands[0], operands[1]);
  return context.ite(is_first_less, operands[greatest ? 1 : 0], operands[greatest ? 0 : 1]);
}

Expr absolute(Context& context, const Instruction& instruction, const Expr* operands) {
  const Expr is_negative = context.slt(operands[0], context.zero(instruction.width));
  return context.ite(is_negative, context.neg(operands[0]), operands[0]);
}

// What else LLVM has as functions.
Instruction::Build find_function(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::ctpop:
      return counted<smt::count_ones>;
    case llvm::Intrinsic::ctlz:
      return counted<smt::count_leading_zeros>;
    case llvm::Intrinsic::cttz:
      return counted<smt::count_trailing_zeros>;
    case llvm::Intrinsic::bswap:
      return counted<smt::swap_bytes>;
    case llvm::Intrinsic::fshl:
      return funnel_shifted<true>;
    case llvm::Intrinsic::fshr:
      return funnel_shifted<false>;
    case llvm::Intrinsic::umin:
      return extreme<&Context::ult, false>;
    case llvm::Intrinsic::umax:
      return extreme<&Context::ult, true>;
    case llvm::Intrinsic::smin:
      return extreme<&Context::slt, false>;
    case llvm::Intrinsic::smax:
      return extreme<&Context::slt, true>;
    case llvm::Intrinsic::abs:
      return absolute;
    case llvm::Intrinsic::uadd_sat:
      return derived<smt::add_saturated>;
    case llvm::Intrinsic::usub_sat:
      return derived<smt::sub_saturated>;
    case llvm::Intrinsic::sadd_sat:
      return derived<smt::add_saturated_signed>;
    case llvm::Intrinsic::ssub_sat:
      return derived<smt::sub_saturated_signed>;
    default:
      return nullptr;
  }
}

std::uint32_t width(const llvm::Type* type) {
  return type->isIntegerTy() ? type->getIntegerBitWidth() : kPointerBits;
}

}  // namespace

class Code::Decoder {
 public:
  Decoder(Code& code, const llvm::Function& source, Function& to) : code_(code), source_(source), to_(to) {}

  void run() {
    to_.source = &source_;
    for (const llvm::Argument& argument : source_.args()) number(argument);
    for (const llvm::BasicBlock& block : source_)
      block_of_.emplace(&block, static_cast<std::uint32_t>(block_of_.size()));
    for (const llvm::BasicBlock& block : source_)
      for (const llvm::Instruction& instruction : block) number(instruction);
    to_.blocks.resize(source_.size());
    std::size_t next = 0;
    for (const llvm::BasicBlock& block : source_) {
      for (const llvm::Instruction& instruction : block) {
        if (instruction.isTerminator()) break;
        if (!llvm::isa<llvm::PHINode>(instruction)) add(next, decode(instruction));
      }
      terminate(next++, *block.getTerminator());
    }
  }

 private:
  void number(const llvm::Value& value) {
    if (value.getType()->isVoidTy()) return;
    register_of_.emplace(&value, to_.registers);
    const auto* fields = llvm::dyn_cast<llvm::StructType>(value.getType());
    to_.registers += fields != nullptr ? fields->getNumElements() : 1;
  }

  void add(std::size_t block, Instruction instruction) {
    to_.blocks[block].instructions.push_back(std::move(instruction));
  }

  [[nodiscard]] Operand operand(const llvm::Value* value) const {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      const llvm::APInt& bits = constant->getValue();
      Integer number;
      const auto* words = bits.getRawData();
      import_bits(number, words, words + bits.getNumWords(), 64, false);
      return {code_.context_.constant(bits.getBitWidth(), number), 0};
    }
    const auto found = register_of_.find(value);
    // Undefined values, functions and strings: handlers look at the source.
    if (found == register_of_.end()) return {code_.context_.zero(width(value->getType())), 0};
    return {Expr(), found->second};
  }
  [[nodiscard]] Instruction start(const llvm::Instruction& source, Kind kind) const {
    Instruction result;
    result.kind = kind;
    result.source = &source;
    if (const auto found = register_of_.find(&source); found != register_of_.end()) result.to = found->second;
    result.width = source.getType()->isVoidTy() ? 0 : width(source.getType());
    return result;
  }

  [[nodiscard]] Instruction decode(const llvm::Instruction& source) {
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&source)) return decode_call(*call);
    if (const auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&source)) return decode_alloca(*memory);
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&source))
      return decode_address(*address);
    if (const auto* field = llvm::dyn_cast<llvm::ExtractValueInst>(&source)) return decode_field(*field);
    Instruction::Build build = nullptr;
    if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&source)) {
      if (comparison->getOperand(0)->getType()->isIntegerTy())
        build = find_comparison(comparison->getPredicate());
    } else if (llvm::isa<llvm::ZExtInst>(source) || llvm::isa<llvm::TruncInst>(source)) {
      build = extend_or_cut;
    } else if (llvm::isa<llvm::SExtInst>(source)) {
      build = extend_signed;
    } else if (llvm::isa<llvm::SelectInst>(source)) {
      build = choose;
    } else {
      build = find_binary(source.getOpcode());
    }
    Kind kind = build != nullptr ? Kind::Compute : Kind::Unknown;
    if (llvm::isa<llvm::FreezeInst>(source)) kind = Kind::Copy;
    if (llvm::isa<llvm::LoadInst>(source)) kind = Kind::Load;
    if (llvm::isa<llvm::StoreInst>(source)) kind = Kind::Store;
    Instruction result = start(source, kind);
    result.build = build;
    if (kind != Kind::Unknown)
      for (const llvm::Value* value : source.operand_values()) result.operands.push_back(operand(value));
    return result;
  }

  [[nodiscard]] Instruction decode_call(const llvm::CallInst& call) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr) return start(call, Kind::Unknown);
    Instruction result = start(call, Kind::Unknown);
    for (const llvm::Value* value : call.args()) result.operands.push_back(operand(value));
    if (llvm::isa<llvm::MemSetInst>(call)) {
      result.kind = Kind::Fill;
    } else if (const auto intrinsic = program::ir::find_intrinsic(std::string_view(callee->getName()))) {
      result.kind = Kind::Intrinsic;
      result.intrinsic = *intrinsic;
    } else if (Instruction::Build build = find_function(callee->getIntrinsicID()); build != nullptr) {
      result.kind = Kind::Compute;
      result.build = build;
    } else if (!callee->isDeclaration()) {
      result.kind = Kind::Call;
      result.callee = &code_.function(*callee);
    }
    return result;
  }

  [[nodiscard]] Instruction decode_alloca(const llvm::AllocaInst& memory) {
    auto* type = llvm::dyn_cast<llvm::StructType>(memory.getAllocatedType());
    if (type == nullptr) return start(memory, Kind::Unknown);
    Instruction result = start(memory, Kind::Alloca);
    result.layout = &code_.layout(*type, source_.getParent()->getDataLayout());
    return result;
  }

  [[nodiscard]] Instruction decode_address(const llvm::GetElementPtrInst& address) const {
    llvm::APInt offset(kPointerBits, 0);
    if (!address.accumulateConstantOffset(source_.getParent()->getDataLayout(), offset))
      return start(address, Kind::Unknown);
    Instruction result = start(address, Kind::Compute);
    result.build = binary<smt::Op::Add>;
    result.operands = {operand(address.getPointerOperand()),
                       {code_.context_.constant(kPointerBits, offset.getZExtValue()), 0}};
    return result;
  }

  [[nodiscard]] Instruction decode_field(const llvm::ExtractValueInst& field) const {
    Instruction result = start(field, Kind::Copy);
    const auto from = register_of_.find(field.getAggregateOperand());
    if (from == register_of_.end() || field.getNumIndices() != 1) return start(field, Kind::Unknown);
    result.operands = {{Expr(), from->second + *field.idx_begin()}};
    return result;
  }

  void terminate(std::size_t block, const llvm::Instruction& source) {
    Instruction result = start(source, Kind::Unknown);
    if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&source)) {
      result.kind = Kind::Return;
      if (leave->getReturnValue() != nullptr) result.operands = {operand(leave->getReturnValue())};
    } else if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&source)) {
      result.kind = branch->isConditional() ? Kind::Branch : Kind::Jump;
      if (branch->isConditional()) result.operands = {operand(branch->getCondition())};
      for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
        result.targets[i] = edge(*source.getParent(), *branch->getSuccessor(i));
    }
    add(block, std::move(result));
  }

  // The block itself, or one of copies before it.
  [[nodiscard]] std::uint32_t edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
    const std::uint32_t target = block_of_.at(&to);
    if (to.phis().empty()) return target;
    Block copies;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;  // all values are read before any is written
    for (const llvm::PHINode& phi : to.phis()) {
      Instruction read = start(phi, Kind::Copy);
      read.operands = {operand(phi.getIncomingValueForBlock(&from))};
      moves.emplace_back(read.to, to_.registers);
      read.to = to_.registers++;
      copies.instructions.push_back(std::move(read));
    }
    for (const auto& [destination, temporary] : moves) {
      Instruction write;
      write.kind = Kind::Copy;
      write.to = destination;
      write.operands = {{Expr(), temporary}};
      copies.instructions.push_back(std::move(write));
    }
    Instruction jump;
    jump.kind = Kind::Jump;
    jump.targets[0] = target;
    copies.instructions.push_back(std::move(jump));
    to_.blocks.push_back(std::move(copies));
    return static_cast<std::uint32_t>(to_.blocks.size() - 1);
  }

  Code& code_;
  const llvm::Function& source_;
  Function& to_;
  std::unordered_map<const llvm::Value*, std::uint32_t> register_of_;
  std::unordered_map<const llvm::BasicBlock*, std::uint32_t> block_of_;
};

const Function& Code::function(const llvm::Function& source) {
  std::unique_ptr<Function>& known = functions_[&source];
  if (known == nullptr) {
    // In its place before it is filled: functions may call each other.
    known = std::make_unique<Function>();
    Function& function = *known;
    Decoder(*this, source, function).run();
    return function;
  }
  return *known;
}

const Layout& Code::layout(llvm::StructType& type, const llvm::DataLayout& data) {
  Layout& layout = layouts_.emplace_back();
  const llvm::StructLayout* offsets = data.getStructLayout(&type);
  for (unsigned i = 0; i < type.getNumElements(); ++i)
    layout.cells.push_back({offsets->getElementOffset(i), width(type.getElementType(i))});
  return layout;
}

}  // namespace perfpact::explore
