#include "p4/ir/to_llvm.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Verifier.h>

#include <iterator>

#include "p4/ir/lowering.h"

namespace perfpact::p4::ir {

using program::ir::Intrinsic;

llvm::APInt to_apint(const Integer& value, std::uint32_t width) {
  std::vector<std::uint64_t> words;
  export_bits(value, std::back_inserter(words), 64, false);
  return {program::ir::bits_of_value(width), words};
}

ModuleLowering::ModuleLowering(const core::Program& program, const SourceManager& sources,
                               llvm::LLVMContext& context)
    : program_(program),
      sources_(sources),
      module_(std::make_unique<llvm::Module>(program.name, context)),
      debug_(*module_),
      work_(core::work(program)),
      passes_(passes(program)) {
  for (std::size_t i = 0; i < passes_.size(); ++i) pass_of_[passes_[i].procedure] = i;
}

Lowered ModuleLowering::run() {
  constexpr llvm::StringRef kDataLayout =
      "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
  module_->setSourceFileName(program_.name);
  module_->setDataLayout(kDataLayout);
  module_->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  unit_ = debug_.createCompileUnit(llvm::dwarf::DW_LANG_C99, debug_.createFile(program_.name, ""), "perfpact",
                                   false, "", 0);
  std::vector<llvm::Type*> fields;
  for (const core::Slot& slot : program_.slots) fields.push_back(integer(slot.width));
  slots_type_ = llvm::StructType::create(context(), fields, "slots");
  declare_procedures();
  find_failing();
  for (const Pass& pass : passes_) declare_pass(pass);
  for (std::size_t i = 0; i < functions_.size(); ++i)
    ProcedureLowering(*this, static_cast<core::ProcedureId>(i)).run();
  for (const Pass& pass : passes_) define_pass(pass);
  add_metadata();
  debug_.finalize();
  return {std::move(module_), std::move(places_)};
}

void ModuleLowering::declare_procedures() {
  auto* pointer = llvm::PointerType::get(context(), 0);
  auto* type = llvm::FunctionType::get(integer(1), {pointer, pointer}, false);
  auto* signature = debug_.createSubroutineType(debug_.getOrCreateTypeArray({}));
  for (std::size_t i = 0; i < program_.procedures.size(); ++i) {
    const core::Procedure& procedure = program_.procedures[i];
    auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                            fmt::format("{}.{}", i, procedure.name), *module_);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->getArg(0)->setName("machine");
    function->getArg(1)->setName("slots");
    for (unsigned argument : {0U, 1U}) {
      function->addParamAttr(argument, llvm::Attribute::NoAlias);
      function->addParamAttr(argument, llvm::Attribute::NoCapture);
    }
    const Span& at = procedure.blocks[core::index(procedure.entry)].at;
    auto* scope = at.is_known() ? file(at.file) : unit_->getFile();
    function->setSubprogram(debug_.createFunction(scope, procedure.name, "", scope, at.begin.line, signature,
                                                  at.begin.line, llvm::DINode::FlagZero,
                                                  llvm::DISubprogram::SPFlagDefinition));
    functions_.push_back(function);
  }
}

void ModuleLowering::find_failing() {
  for (const std::vector<std::uint64_t>& loops : work_.loops)
    may_fail_.push_back(std::ranges::any_of(loops, [](std::uint64_t blocks) { return blocks > 0; }));
  const auto fails = [&](const core::Procedure& procedure) {
    for (const core::Block& block : procedure.blocks)
      for (const core::Instruction& instruction : block.instructions) {
        const core::Action& action = instruction.action;
        if (std::holds_alternative<core::Fail>(action) ||
            std::holds_alternative<core::EnqueueGroup>(action) ||
            std::holds_alternative<core::EnqueueClone>(action))
          return true;
        if (const auto* call = std::get_if<core::Call>(&action); call != nullptr && may_fail(call->procedure))
          return true;
      }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < may_fail_.size(); ++i) {
      if (may_fail_[i] || !fails(program_.procedures[i])) continue;
      may_fail_[i] = changed = true;
    }
  }
}

void ModuleLowering::declare_pass(const Pass& pass) {
  std::vector<llvm::Type*> parameters{llvm::PointerType::get(context(), 0)};
  for (core::SlotId slot : pass.arguments) parameters.push_back(integer(width_of(slot)));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context()), parameters, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, pass.function, *module_);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addParamAttr(0, llvm::Attribute::NoAlias);
  function->getArg(0)->setName("machine");
  for (std::size_t i = 0; i < pass.arguments.size(); ++i)
    function->getArg(static_cast<unsigned>(i) + 1)
        ->setName(program_.slots[core::index(pass.arguments[i])].name);
}

void ModuleLowering::define_pass(const Pass& pass) {
  llvm::Function* function = module_->getFunction(pass.function);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context(), "entry", function));
  llvm::Value* machine = function->getArg(0);
  llvm::Value* slots = builder.CreateAlloca(slots_type_, nullptr, "slots");
  const std::uint64_t bytes = module_->getDataLayout().getTypeAllocSize(slots_type_);
  builder.CreateMemSet(slots, builder.getInt8(0), bytes, llvm::MaybeAlign(8));
  const auto place = [&](core::SlotId slot) {
    return builder.CreateStructGEP(slots_type_, slots, static_cast<unsigned>(core::index(slot)));
  };
  for (std::size_t i = 0; i < pass.arguments.size(); ++i)
    builder.CreateStore(function->getArg(static_cast<unsigned>(i) + 1), place(pass.arguments[i]));
  builder.CreateCall(functions_[core::index(pass.procedure)], {machine, slots});
  llvm::Value* error =
      builder.CreateLoad(integer(width_of(program_.parser_error)), place(program_.parser_error));
  builder.CreateCall(program::ir::declare({Intrinsic::Finish}, *module_), {machine, error});
  builder.CreateRetVoid();
}

void ModuleLowering::add_metadata() {
  const auto add = [this](std::string_view name, const std::vector<std::string>& texts) {
    std::vector<llvm::Metadata*> operands;
    for (const std::string& text : texts) operands.push_back(llvm::MDString::get(context(), text));
    module_->getOrInsertNamedMetadata(name)->addOperand(llvm::MDNode::get(context(), operands));
  };
  for (const program::EventSite& site : program_.sites)
    add(program::ir::kSitesMetadata, {std::string(program::schema(site.kind).name), site.texts[0],
                                      site.texts[1], sources_.describe(site.at)});
  for (const tables::TableSchema& table : program_.tables)
    add(program::ir::kTablesMetadata, {table.name, std::string(table.kind())});
  for (const core::Object& object : program_.objects)
    add(program::ir::kObjectsMetadata, {object.name, std::to_string(object.size)});
  for (const Span& place : places_) add(program::ir::kPlacesMetadata, {sources_.describe(place)});
}

llvm::DIFile* ModuleLowering::file(FileId id) {
  llvm::DIFile*& known = files_[id];
  if (known == nullptr) known = debug_.createFile(sources_.name(id), "");
  return known;
}

llvm::DebugLoc ModuleLowering::location(const Span& at, core::ProcedureId procedure) {
  llvm::DISubprogram* scope = function(procedure)->getSubprogram();
  if (!at.is_known()) return llvm::DILocation::get(context(), 0, 0, scope);
  llvm::DILocalScope* where = scope;
  if (scope->getFile() != file(at.file)) where = debug_.createLexicalBlockFile(scope, file(at.file));
  return llvm::DILocation::get(context(), at.begin.line, at.begin.column, where);
}

std::uint64_t ModuleLowering::add_place(const Span& at) {
  places_.push_back(at);
  return places_.size() - 1;
}

Lowered to_llvm(const core::Program& program, const SourceManager& sources, llvm::LLVMContext& context) {
  Lowered lowered = ModuleLowering(program, sources, context).run();
  program::ir::verify(*lowered.module);
  return lowered;
}

}  // namespace perfpact::p4::ir
