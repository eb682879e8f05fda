#include "timing/cpu.h"

#include <llvm/MC/MCSchedule.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/check.h"
#include "base/spelling.h"
#include "timing/diagnostics.h"
#include "timing/llvm_target.h"
#include "x86/decode.h"

namespace perfpact::timing {
namespace {

constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

const llvm::Target& x86_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
  });
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  PERFPACT_CHECK(target != nullptr, "{}", error);
  return *target;
}

std::unique_ptr<llvm::MCSubtargetInfo> subtarget_of(llvm::StringRef cpu) {
  return std::unique_ptr<llvm::MCSubtargetInfo>(x86_target().createMCSubtargetInfo(kTriple, cpu, ""));
}

// LLVM itself writes to stderr about a name that it does not know, so it is not asked for one.
bool is_known(const std::string& name, std::vector<std::string>& names) {
  const auto any = subtarget_of("");
  for (const llvm::SubtargetSubTypeKV& one : any->getAllProcessorDescriptions()) names.emplace_back(one.Key);
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::optional<llvm::MCInst> Cpu::Target::decode(std::span<const std::uint8_t> bytes,
                                                std::uint64_t address) const {
  llvm::MCInst instruction;
  std::uint64_t size = 0;
  const auto status =
      disassembler->getInstruction(instruction, size, {bytes.data(), bytes.size()}, address, llvm::nulls());
  if (status != llvm::MCDisassembler::Success) return std::nullopt;
  return instruction;
}

std::string host_cpu() {
  return llvm::sys::getHostCPUName().str();
}

Cpu::Cpu(std::unique_ptr<Target> target) : target_(std::move(target)) {}
Cpu::Cpu(Cpu&&) noexcept = default;
Cpu& Cpu::operator=(Cpu&&) noexcept = default;
Cpu::~Cpu() = default;

Result<Cpu> Cpu::find(std::string_view name, Diagnostics& diagnostics) {
  auto target = std::make_unique<Target>();
  target->cpu = name.empty() ? host_cpu() : std::string(name);
  std::vector<std::string> names;
  if (!is_known(target->cpu, names))
    return std::unexpected(
        diagnostics.report(diag::kUnknownCpu, {}, target->cpu, did_you_mean(target->cpu, names)));
  const llvm::Target& x86 = x86_target();
  target->subtarget = subtarget_of(target->cpu);
  if (!target->subtarget->getSchedModel().hasInstrSchedModel())
    return std::unexpected(diagnostics.report(diag::kCpuWithoutModel, {}, target->cpu));
  const llvm::MCTargetOptions options;
  target->registers.reset(x86.createMCRegInfo(kTriple));
  target->assembly.reset(x86.createMCAsmInfo(*target->registers, kTriple, options));
  target->instructions.reset(x86.createMCInstrInfo());
  target->analysis.reset(x86.createMCInstrAnalysis(target->instructions.get()));
  target->context = std::make_unique<llvm::MCContext>(llvm::Triple(kTriple), target->assembly.get(),
                                                      target->registers.get(), target->subtarget.get());
  target->disassembler.reset(x86.createMCDisassembler(*target->subtarget, *target->context));
  return Cpu(std::move(target));
}

const std::string& Cpu::name() const {
  return target_->cpu;
}

std::uint32_t Cpu::load_latency() const {
  return target_->subtarget->getSchedModel().LoadLatency;
}

std::optional<std::uint32_t> Cpu::latency(std::span<const std::uint8_t> bytes, std::uint64_t address) const {
  const std::optional<llvm::MCInst> instruction = target_->decode(bytes, address);
  if (!instruction) return std::nullopt;
  // A no-operation to a processor that does not enforce it, which the models take for a system instruction.
  if (target_->instructions->getName(instruction->getOpcode()) == "ENDBR64") return 1;
  const llvm::MCSchedModel& model = target_->subtarget->getSchedModel();
  unsigned scheduling = target_->instructions->get(instruction->getOpcode()).getSchedClass();
  while (scheduling != 0 && model.getSchedClassDesc(scheduling)->isVariant())
    scheduling = target_->subtarget->resolveVariantSchedClass(
        scheduling, &*instruction, target_->instructions.get(), model.getProcessorID());
  const llvm::MCSchedClassDesc& description = *model.getSchedClassDesc(scheduling);
  if (scheduling == 0 || !description.isValid()) return std::nullopt;
  const int latency = llvm::MCSchedModel::computeInstrLatency(*target_->subtarget, description);
  if (latency < 0) return std::nullopt;
  // Some models forget that an instruction loads (returns, `leave`).
  const auto decoded = x86::decode(bytes, address);
  const bool loads = decoded && decoded->loads > 0;
  return std::max({1U, static_cast<std::uint32_t>(latency), loads ? load_latency() : 0});
}

}  // namespace perfpact::timing
