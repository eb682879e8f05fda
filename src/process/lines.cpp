#include "process/lines.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
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
  const llvm::DILineInfoSpecifier wanted(llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                         llvm::DILineInfoSpecifier::FunctionNameKind::ShortName);
  const llvm::DILineInfo info = of_module->context->getLineInfoForAddress(
      {address - module->bias, llvm::object::SectionedAddress::UndefSection}, wanted);
  if (info.Line == 0 || info.FileName == llvm::DILineInfo::BadString) return std::nullopt;
  const bool has_function = info.FunctionName != llvm::DILineInfo::BadString;
  return Location{info.FileName, info.Line, has_function ? info.FunctionName : std::string()};
}

std::optional<std::string> Lines::fault(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto found = read_.find(modules_.at(address));
  return found == read_.end() ? std::nullopt : found->second->fault;
}

}  // namespace perfpact::process
