#include "assembler.h"

#include <llvm-c/Target.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCExpr.h>
#include <llvm/MC/MCFixup.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include "base/check.h"

namespace perfpact::lift {
namespace {

constexpr const char* kTriple = "x86_64-linux-gnu";
constexpr const char* kFeatures = "+bmi,+bmi2,+lzcnt,+popcnt,+movbe,+adx,+cx16,+sahf,+sse4.2,+prfchw";

// Keeps the bytes of the instructions.
class Collector final : public llvm::MCStreamer {
 public:
  Collector(llvm::MCContext& context, const llvm::MCCodeEmitter& emitter)
      : llvm::MCStreamer(context), emitter_(emitter) {}

  void emitInstruction(const llvm::MCInst& instruction, const llvm::MCSubtargetInfo& features) override {
    llvm::SmallVector<llvm::MCFixup, 2> fixups;
    llvm::SmallVector<char, 16> encoded;
    emitter_.encodeInstruction(instruction, encoded, fixups, features);
    for (const llvm::MCFixup& fixup : fixups) {
      std::int64_t value = 0;
      PERFPACT_CHECK(fixup.getValue()->evaluateAsAbsolute(value), "a symbol in a test's instruction");
      // The encoder has taken the field's size off, which lies before the next instruction.
      const std::size_t size = fixup.getKind() == llvm::FK_PCRel_1 ? 1 : 4;
      value += static_cast<std::int64_t>(size);
      for (std::size_t i = 0; i < size; ++i)
        encoded[fixup.getOffset() + i] = static_cast<char>(value >> (8 * i));
    }
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  bool emitSymbolAttribute(llvm::MCSymbol*, llvm::MCSymbolAttr) override { return true; }
  void emitCommonSymbol(llvm::MCSymbol*, std::uint64_t, llvm::Align) override {}
  void emitZerofill(llvm::MCSection*, llvm::MCSymbol*, std::uint64_t, llvm::Align, llvm::SMLoc) override {}

  std::vector<std::uint8_t> bytes;

 private:
  const llvm::MCCodeEmitter& emitter_;
};

}  // namespace

struct Assembler::Target {
  const llvm::Target* target = nullptr;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> syntax;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> features;
  llvm::MCTargetOptions options;
};

Assembler::Assembler() : target_(std::make_unique<Target>()) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmParser();
  std::string error;
  target_->target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  PERFPACT_CHECK(target_->target != nullptr, "{}", error);
  target_->registers.reset(target_->target->createMCRegInfo(kTriple));
  target_->syntax.reset(target_->target->createMCAsmInfo(*target_->registers, kTriple, target_->options));
  target_->instructions.reset(target_->target->createMCInstrInfo());
  target_->features.reset(target_->target->createMCSubtargetInfo(kTriple, "x86-64", kFeatures));
}

Assembler::~Assembler() = default;

std::vector<std::uint8_t> Assembler::assemble(const std::string& line) const {
  llvm::SourceMgr sources;
  sources.setDiagHandler([](const llvm::SMDiagnostic&, void*) {});
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(line + "\n"), llvm::SMLoc());
  llvm::MCContext context(llvm::Triple(kTriple), target_->syntax.get(), target_->registers.get(),
                          target_->features.get(), &sources, &target_->options);
  std::unique_ptr<llvm::MCObjectFileInfo> sections(target_->target->createMCObjectFileInfo(context, false));
  context.setObjectFileInfo(sections.get());
  std::unique_ptr<llvm::MCCodeEmitter> emitter(
      target_->target->createMCCodeEmitter(*target_->instructions, context));
  Collector collector(context, *emitter);
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, collector, *target_->syntax));
  std::unique_ptr<llvm::MCTargetAsmParser> grammar(target_->target->createMCAsmParser(
      *target_->features, *parser, *target_->instructions, target_->options));
  constexpr unsigned kIntelSyntax = 1;
  parser->setTargetParser(*grammar);
  parser->setAssemblerDialect(kIntelSyntax);
  if (parser->Run(false, true)) return {};
  return collector.bytes;
}

}  // namespace perfpact::lift
