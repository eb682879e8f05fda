#include "p4/jit/bounds.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

#include <limits>
#include <map>

#include "p4/jit/frame.h"
#include "program/ir/conventions.h"

namespace perfpact::p4::jit {
namespace {

using program::ir::Intrinsic;

// Sums stay far below the largest number, so that comparing with them is safe.
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 4;
void add(std::uint64_t& sum, std::uint64_t more) {
  sum = std::min(kMost, sum + std::min(more, kMost));
}

std::uint64_t width(const llvm::Value* value) {
  return value->getType()->isIntegerTy() ? value->getType()->getIntegerBitWidth() : 0;
}

class Meter {
 public:
  const Bounds& of(const llvm::Function& function) {
    const auto [at, is_new] = known_.try_emplace(&function);
    if (!is_new) return at->second;
    Bounds sum;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) {
        add(sum.instructions, 1);
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || call->getCalledFunction()->isIntrinsic()) continue;
        if (call->getCalledFunction()->isDeclaration())
          take(*call, sum);
        else
          take(of(*call->getCalledFunction()), sum);
      }
    return known_[&function] = sum;
  }

 private:
  static void take(const Bounds& callee, Bounds& sum) {
    add(sum.log_words, callee.log_words);
    add(sum.output_bits, callee.output_bits);
    add(sum.instructions, callee.instructions);
    take_most(callee, sum);
  }
  static void take_most(const Bounds& other, Bounds& most) {
    most.argument_words = std::max(most.argument_words, other.argument_words);
    most.hash_bits = std::max(most.hash_bits, other.hash_bits);
    most.ahead_bits = std::max(most.ahead_bits, other.ahead_bits);
  }
  static void take(const llvm::CallBase& call, Bounds& sum) {
    const auto id = program::ir::find_intrinsic(std::string_view(call.getCalledFunction()->getName()));
    std::uint64_t words = 0;
    std::uint64_t bits = 0;
    for (const llvm::Use& argument : call.args()) {
      words += words_of(width(argument.get()));
      bits += width(argument.get());
    }
    Bounds one;
    one.argument_words = std::max(words, words_of(width(&call)));
    if (id->intrinsic == Intrinsic::Hash) one.hash_bits = bits;
    if (id->intrinsic == Intrinsic::Event || id->intrinsic == Intrinsic::Decide) one.log_words = words;
    if (id->intrinsic == Intrinsic::PacketEmit || id->intrinsic == Intrinsic::PacketEmitVarbit)
      one.output_bits = bits;
    if (id->intrinsic == Intrinsic::PacketReadVarbit) one.ahead_bits = width(&call);
    if (id->intrinsic == Intrinsic::PacketPeek)
      one.ahead_bits = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue() + width(&call);
    take(one, sum);
  }

  std::map<const llvm::Function*, Bounds> known_;
};

}  // namespace

Bounds bounds(const llvm::Module& module) {
  Meter meter;
  Bounds result;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const Bounds& one = meter.of(function);
    result.log_words = std::max(result.log_words, one.log_words);
    result.output_bits = std::max(result.output_bits, one.output_bits);
    result.argument_words = std::max(result.argument_words, one.argument_words);
    result.hash_bits = std::max(result.hash_bits, one.hash_bits);
    result.ahead_bits = std::max(result.ahead_bits, one.ahead_bits);
    result.instructions = std::max(result.instructions, one.instructions);
  }
  return result;
}

}  // namespace perfpact::p4::jit
