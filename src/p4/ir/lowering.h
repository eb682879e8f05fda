// How the core form becomes LLVM IR. ModuleLowering has what is there once: types, functions, metadata, debug
// information (to_llvm.cpp). ProcedureLowering fills one function: control flow (procedure.cpp), computations
// (compute.cpp), everything else (instructions.cpp).
#pragma once
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include <map>

#include "p4/core/loops.h"
#include "p4/ir/to_llvm.h"
#include "program/ir/conventions.h"

namespace perfpact::p4::ir {

[[nodiscard]] llvm::APInt to_apint(const Integer& value, std::uint32_t width);

class ModuleLowering {
 public:
  ModuleLowering(const core::Program& program, const SourceManager& sources, llvm::LLVMContext& context);

  [[nodiscard]] Lowered run();

  [[nodiscard]] const core::Program& program() const { return program_; }
  [[nodiscard]] llvm::Module& module() { return *module_; }
  [[nodiscard]] llvm::LLVMContext& context() { return module_->getContext(); }
  [[nodiscard]] llvm::StructType* slots_type() const { return slots_type_; }
  [[nodiscard]] std::uint32_t width_of(core::SlotId slot) const {
    return program_.slots[core::index(slot)].width;
  }
  [[nodiscard]] llvm::IntegerType* integer(std::uint32_t width) {
    return llvm::IntegerType::get(context(), program::ir::bits_of_value(width));
  }
  [[nodiscard]] llvm::Function* function(core::ProcedureId id) const { return functions_[core::index(id)]; }
  /// Whether a call can end the packet.
  [[nodiscard]] bool may_fail(core::ProcedureId id) const { return may_fail_[core::index(id)]; }
  [[nodiscard]] const std::vector<std::uint64_t>& loops(core::ProcedureId id) const {
    return work_.loops[core::index(id)];
  }
  [[nodiscard]] const Pass& pass(core::ProcedureId id) const { return passes_.at(pass_of_.at(id)); }
  [[nodiscard]] llvm::DebugLoc location(const Span& at, core::ProcedureId procedure);
  /// The id of a place that can end up in a gap.
  [[nodiscard]] std::uint64_t add_place(const Span& at);

 private:
  void declare_procedures();
  void find_failing();
  void declare_pass(const Pass& pass);
  void define_pass(const Pass& pass);
  void add_metadata();
  [[nodiscard]] llvm::DIFile* file(FileId id);

  const core::Program& program_;
  const SourceManager& sources_;
  std::unique_ptr<llvm::Module> module_;
  llvm::DIBuilder debug_;
  llvm::DICompileUnit* unit_ = nullptr;
  llvm::StructType* slots_type_ = nullptr;
  std::vector<llvm::Function*> functions_;
  core::Work work_;
  std::vector<bool> may_fail_;
  std::vector<Pass> passes_;
  std::map<core::ProcedureId, std::size_t> pass_of_;
  std::map<FileId, llvm::DIFile*> files_;
  std::vector<Span> places_;
};

class ProcedureLowering {
 public:
  ProcedureLowering(ModuleLowering& module, core::ProcedureId procedure);
  void run();

 private:
  using Values = std::vector<llvm::Value*>;

  // Control flow.
  void stand_at(const Span& at);
  [[nodiscard]] llvm::Value* place();
  void lower(const core::Block& block);
  std::size_t lower_run(const core::Block& block, std::size_t at);
  void leave(const core::Return&);
  void leave(const core::Jump& jump);
  void leave(const core::Branch& branch);
  void leave(const core::Select& select);
  [[nodiscard]] llvm::Value* matches(const core::Pattern& pattern, llvm::Value* value);
  [[nodiscard]] llvm::BasicBlock* deciding(core::DecisionId decision, std::uint64_t outcome,
                                           core::BlockId to);
  /// Goes on in a new block; where the condition holds, the packet has failed.
  void fail_if(llvm::Value* failed);
  /// Executes what `then` makes only where the condition holds.
  template <class Then>
  void only_if(llvm::Value* condition, Then&& then);

  // Values.
  [[nodiscard]] llvm::Value* value(const core::Operand& operand);
  [[nodiscard]] llvm::Value* value64(const core::Operand& operand);
  [[nodiscard]] llvm::Value* index64(const core::Operand& operand);
  [[nodiscard]] llvm::Value* constant(std::uint32_t width, std::uint64_t value);
  [[nodiscard]] llvm::Value* slot(core::SlotId id);
  void write(core::SlotId id, llvm::Value* value);
  /// Zero-extends or cuts.
  [[nodiscard]] llvm::Value* fit(llvm::Value* value, std::uint32_t width);
  llvm::CallInst* call(program::ir::Intrinsic intrinsic, const Values& arguments, std::uint32_t width = 0,
                       program::EventKind event = {});

  // Computations.
  [[nodiscard]] llvm::Value* compute(const core::Compute& compute);
  [[nodiscard]] llvm::Value* shift(const core::Compute& compute);
  [[nodiscard]] llvm::Value* divide(const core::Compute& compute);
  [[nodiscard]] llvm::Value* concatenate(llvm::Value* high, std::uint32_t high_width, llvm::Value* low,
                                         std::uint32_t low_width);

  // Instructions, one handler a kind. Reads and emits that follow each other are lowered together.
  void execute(const core::Compute& compute);
  void execute(const core::RaiseEvent& raise);
  void execute(const core::PacketLength& length);
  void execute(const core::PacketRemaining& remaining);
  void execute(const core::PacketReadVarbit& read);
  void execute(const core::PacketPeek& peek);
  void execute(const core::PacketAdvance& advance);
  void execute(const core::PacketEmitVarbit& emit);
  void execute(const core::PacketCommit& commit);
  void execute(const core::PacketTruncate& truncate);
  void execute(const core::Lookup& lookup);
  void execute(const core::Hash& hash);
  void execute(const core::RegisterRead& read);
  void execute(const core::RegisterWrite& write);
  void execute(const core::Count& count);
  void execute(const core::Meter& meter);
  void execute(const core::Random& random);
  void execute(const core::Call& call);
  void execute(const core::Enqueue& enqueue);
  void execute(const core::EnqueueGroup& enqueue);
  void execute(const core::EnqueueClone& enqueue);
  void execute(const core::SendPacket& send);
  void execute(const core::DropPacket& drop);
  void execute(const core::Fail& fail);
  std::size_t read_run(const core::Block& block, std::size_t at);
  std::size_t emit_run(const core::Block& block, std::size_t at);
  [[nodiscard]] llvm::Value* is_within(core::ObjectId object, llvm::Value* index);
  /// The arguments of a pass that an instruction enqueues, behind those given.
  template <class Enqueue>
  void append_arguments(const Enqueue& enqueue, core::PassKind kind, Values& arguments);
  [[nodiscard]] llvm::Function* pass_function(core::ProcedureId pass);
  [[nodiscard]] llvm::Value* position(core::ProcedureId pass, core::SlotId slot);

  ModuleLowering& module_;
  const core::Program& program_;
  core::ProcedureId id_;
  const core::Procedure& procedure_;
  llvm::Function* function_;
  llvm::IRBuilder<> builder_;
  Span at_;  // of the instruction or terminator that is lowered
  std::vector<llvm::BasicBlock*> blocks_;
  llvm::BasicBlock* failed_ = nullptr;  // made on first use
};

}  // namespace perfpact::p4::ir
