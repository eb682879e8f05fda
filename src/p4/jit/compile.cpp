#include "p4/jit/compile.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>

#include "base/check.h"
#include "p4/jit/expand.h"
#include "p4/jit/runtime_calls.h"

namespace perfpact::p4::jit {
namespace {

// A pass of up to so many instructions becomes one function, all its values in registers. The time that this
// takes grows faster than the program: larger ones keep a function a procedure, and plain code.
constexpr std::uint64_t kInlinedInstructions = 15'000;
// Room for what happens between two loop heads; a program that needs more is none that we know.
constexpr std::uint64_t kMostLogWords = std::uint64_t{1} << 28;

template <class Value>
Value expect(llvm::Expected<Value> value) {
  PERFPACT_CHECK(static_cast<bool>(value), "LLVM: {}", llvm::toString(value.takeError()));
  return std::move(*value);
}
void expect(llvm::Error error) {
  PERFPACT_CHECK(!error, "LLVM: {}", llvm::toString(std::move(error)));
}

void inline_procedures(llvm::Module& module, llvm::Attribute::AttrKind how) {
  for (llvm::Function& function : module)
    if (function.hasInternalLinkage()) function.addFnAttr(how);
}

// A slot of a few bits becomes a register only if its zero is stored as what it is.
void zero_by_type(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        auto* zeros = llvm::dyn_cast<llvm::MemSetInst>(&instruction);
        if (zeros == nullptr) continue;
        auto* slots = llvm::cast<llvm::AllocaInst>(zeros->getDest());
        llvm::IRBuilder<>(zeros).CreateStore(llvm::Constant::getNullValue(slots->getAllocatedType()), slots);
        zeros->eraseFromParent();
      }
}

void optimise(llvm::Module& module, llvm::TargetMachine& target) {
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = false;
  options.SLPVectorization = false;
  options.LoopUnrolling = false;
  llvm::PassBuilder builder(&target, options);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

}  // namespace

struct Compiled::State {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  Code code;
};

Compiled::Compiled(const core::Program& program, const SourceManager& sources)
    : state_(std::make_unique<State>()) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto context = std::make_unique<llvm::LLVMContext>();
  ir::Lowered lowered = ir::to_llvm(program, sources, *context);
  Code& code = state_->code;
  code.places = std::move(lowered.places);
  code.passes = ir::passes(program);
  code.bounds = bounds(*lowered.module);
  PERFPACT_CHECK(code.bounds.log_words < kMostLogWords, "a pass may have {} events", code.bounds.log_words);

  llvm::Module& module = *lowered.module;
  llvm::StripDebugInfo(module);
  const bool is_large = code.bounds.instructions > kInlinedInstructions;
  inline_procedures(module, is_large ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
  if (!is_large) zero_by_type(module);
  expand(module, program, code.passes);
  PERFPACT_CHECK(!llvm::verifyModule(module), "the expanded module of {} is not valid", program.name);

  auto machine_builder = expect(llvm::orc::JITTargetMachineBuilder::detectHost());
  if (is_large) machine_builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  const auto target = expect(machine_builder.createTargetMachine());
  PERFPACT_CHECK(target->createDataLayout() == module.getDataLayout(), "the layout of data is that of {}",
                 target->createDataLayout().getStringRepresentation());
  module.setTargetTriple(target->getTargetTriple().str());
  optimise(module, *target);

  state_->jit =
      expect(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(machine_builder)).create());
  llvm::orc::SymbolMap symbols;
  for (const RuntimeCall& call : runtime_calls())
    symbols[state_->jit->mangleAndIntern(fmt::format("perfpact_{}", call.name))] = {
        llvm::orc::ExecutorAddr::fromPtr(call.function), llvm::JITSymbolFlags::Exported};
  expect(state_->jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
  expect(state_->jit->addIRModule({std::move(lowered.module), std::move(context)}));
  for (std::size_t i = 0; i < code.passes.size(); ++i)
    code.enter.push_back(expect(state_->jit->lookup(enter_name(i))).toPtr<Code::Enter>());
}

Compiled::~Compiled() = default;

const Code& Compiled::code() const {
  return state_->code;
}

}  // namespace perfpact::p4::jit
