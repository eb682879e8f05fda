#include "process/lines.h"

#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugAranges.h>
#include <llvm/Object/ObjectFile.h>

namespace perfpact::process {

struct Lines::OfModule {
  explicit OfModule(const llvm::object::ObjectFile& object) {
    const auto keep = [this](llvm::Error error) {
      const std::string message = llvm::toString(std::move(error));
      if (!fault) fault = message;
    };
    context = llvm::DWARFContext::create(object, llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr,
                                         "", keep, keep);
  }

  // By line tables only: LLVM's reader of what is in functions does not survive damaged information.
  std::optional<llvm::DILineInfo> row_of(std::uint64_t address) {
    const std::uint64_t offset = context->getDebugAranges()->findAddress(address);
    llvm::DWARFCompileUnit* unit = context->getCompileUnitForOffset(offset);
    if (unit == nullptr) return std::nullopt;
    const auto* table = context->getLineTableForUnit(unit);
    llvm::DILineInfo info;
    const bool found = table != nullptr &&
                       table->getFileLineInfoForAddress(
                           {address, llvm::object::SectionedAddress::UndefSection}, unit->getCompilationDir(),
                           llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, info);
    if (!found || info.Line == 0) return std::nullopt;
    return info;
  }

  std::optional<std::string> fault;
  std::unique_ptr<llvm::DWARFContext> context;
};

Lines::Lines(const Modules& modules) : modules_(modules) {}
Lines::~Lines() = default;

std::optional<Location> Lines::location(std::uint64_t address) const {
  const Module* module = modules_.at(address);
  if (module == nullptr) return std::nullopt;
  const std::lock_guard lock(mutex_);
  std::unique_ptr<OfModule>& of_module = read_[module];
  if (!of_module) of_module = std::make_unique<OfModule>(module->elf->object());
  const std::optional<llvm::DILineInfo> info = of_module->row_of(address - module->bias);
  if (!info) return std::nullopt;
  const Symbol* symbol = modules_.symbol_of(address);
  return Location{info->FileName, info->Line, symbol != nullptr ? symbol->name : std::string()};
}

std::optional<std::string> Lines::fault(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto found = read_.find(modules_.at(address));
  return found == read_.end() ? std::nullopt : found->second->fault;
}

}  // namespace perfpact::process
