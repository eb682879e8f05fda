// What conventions.h promises of a module.
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "base/check.h"
#include "program/ir/conventions.h"

namespace perfpact::program::ir {
namespace {

std::string text_of(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  return text;
}

void verify_call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  PERFPACT_CHECK(callee != nullptr, "a call of an unknown function: {}", text_of(call));
  if (!callee->isDeclaration() || callee->isIntrinsic()) return;
  const auto id = find_intrinsic(std::string_view(callee->getName()));
  PERFPACT_CHECK(id.has_value(), "a call of a function that is not in the conventions: {}", text_of(call));
  PERFPACT_CHECK(callee->getFunctionType() == type(*id, call.getContext()), "a wrong signature: {}",
                 text_of(call));
  PERFPACT_CHECK(call.getArgOperand(0) == call.getFunction()->getArg(0), "the machine is not handed on: {}",
                 text_of(call));
  if (id->intrinsic != Intrinsic::Event && id->intrinsic != Intrinsic::Decide &&
      id->intrinsic != Intrinsic::Instruction)
    return;
  PERFPACT_CHECK(call.hasFnAttr(llvm::Attribute::NoMerge), "no 'nomerge' on {}", text_of(call));
  PERFPACT_CHECK(llvm::isa<llvm::ConstantInt>(call.getArgOperand(1)), "an id that is no constant: {}",
                 text_of(call));
}

}  // namespace

void verify(const llvm::Module& module) {
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  PERFPACT_CHECK(!llvm::verifyModule(module, &stream), "no valid LLVM module: {}", errors);
  for (const llvm::Function& function : module)
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) verify_call(*call);
}

}  // namespace perfpact::program::ir
