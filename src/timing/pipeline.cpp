#include "timing/pipeline.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/MCA/Context.h>
#include <llvm/MCA/CustomBehaviour.h>
#include <llvm/MCA/InstrBuilder.h>
#include <llvm/MCA/Pipeline.h>
#include <llvm/MCA/SourceMgr.h>

#include <array>
#include <deque>

#include "base/check.h"
#include "timing/llvm_target.h"
#include "x86/decode.h"

namespace perfpact::timing {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Runs of which the cycles of the one are: the first begins with an empty pipeline.
constexpr unsigned kFirst = 1, kMore = 2;

// MCA knows no calls and returns, and no processor's stack engine, by which rsp moves without taking time:
// the accesses to the stack stand for them.
const Bytes kPushAddress{0x48, 0xc7, 0x44, 0x24, 0xf8, 0, 0, 0, 0};  // mov qword [rsp - 8], 0
const Bytes kJump{0xe9, 0, 0, 0, 0};                                 // jmp
const Bytes kJumpToPopped{0xff, 0x24, 0x24};                         // jmp [rsp]
const Bytes kLoadByte{0x44, 0x0f, 0xb6, 0x1e};                       // movzx r11d, byte [rsi]
const Bytes kStoreByte{0x44, 0x88, 0x1f};                            // mov [rdi], r11b

const Bytes kNop{0x90};  // endbr64 (cpu.cpp)

// Of a call through a register or memory.
Bytes jump_of(const x86::Instruction& call, std::span<const std::uint8_t> bytes) {
  if (call.operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) return kJump;
  constexpr std::uint8_t kRegisterField = 0b00'111'000, kJumpsNear = 0b00'100'000;
  Bytes jump(bytes.begin(), bytes.begin() + call.decoded.length);
  std::uint8_t& modrm = jump[call.decoded.raw.modrm.offset];
  modrm = static_cast<std::uint8_t>((modrm & ~kRegisterField) | kJumpsNear);
  return jump;
}

// Of push and pop: whether they move a register of 64 bits other than rsp.
bool moves_register(const x86::Instruction& stack) {
  const ZydisDecodedOperand& operand = stack.operands[0];
  return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.reg.value != ZYDIS_REGISTER_RSP &&
         ZydisRegisterGetClass(operand.reg.value) == ZYDIS_REGCLASS_GPR64;
}

// mov [rsp - 8], REGISTER, or mov REGISTER, [rsp].
Bytes move_of(const x86::Instruction& stack, bool is_push) {
  constexpr std::uint8_t kWide = 0x48, kHighRegister = 0x04, kThrough = 0b00'000'100,
                         kDisplaced = 0b01'000'100;
  const std::uint8_t number = static_cast<std::uint8_t>(ZydisRegisterGetId(stack.operands[0].reg.value));
  const std::uint8_t rex = kWide | (number >= 8 ? kHighRegister : 0);
  const std::uint8_t field = static_cast<std::uint8_t>((number & 7U) << 3U);
  if (is_push) return {rex, 0x89, static_cast<std::uint8_t>(kDisplaced | field), 0x24, 0xf8};
  return {rex, 0x8b, static_cast<std::uint8_t>(kThrough | field), 0x24};
}

std::vector<Bytes> parts_of(std::span<const std::uint8_t> bytes, std::uint64_t address) {
  const auto instruction = x86::decode(bytes, address);
  if (!instruction) return {};
  if (instruction->decoded.mnemonic == ZYDIS_MNEMONIC_ENDBR64) return {kNop};
  switch (instruction->decoded.meta.category) {
    case ZYDIS_CATEGORY_CALL:
      return {kPushAddress, jump_of(*instruction, bytes)};
    case ZYDIS_CATEGORY_RET:
      return {kJumpToPopped};
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_POP:
      if (moves_register(*instruction))
        return {move_of(*instruction, instruction->decoded.meta.category == ZYDIS_CATEGORY_PUSH)};
      break;
    default:
      break;
  }
  return {Bytes(bytes.begin(), bytes.end())};
}

}  // namespace

struct Pipeline::Model {
  explicit Model(const Cpu::Target& target_of)
      : target(target_of),
        instruments(*target.subtarget, *target.instructions),
        builder(*target.subtarget, *target.instructions, *target.registers, target.analysis.get(),
                instruments,
                /*CallLatency=*/1) {}

  using Unique = std::unique_ptr<llvm::mca::Instruction>;

  Unique make(const llvm::MCInst& instruction) {
    llvm::Expected<Unique> made = builder.createInstruction(instruction, {});
    if (made) return std::move(*made);
    llvm::consumeError(made.takeError());
    return nullptr;
  }

  // The same, its results so many cycles later.
  Unique delayed(const llvm::mca::Instruction& one, std::uint32_t wait) {
    const llvm::mca::InstrDesc& from = one.getDesc();
    llvm::mca::InstrDesc& description = descriptions.emplace_back();
    description.Resources = from.Resources;
    description.UsedBuffers = from.UsedBuffers;
    description.UsedProcResUnits = from.UsedProcResUnits;
    description.UsedProcResGroups = from.UsedProcResGroups;
    description.MaxLatency = from.MaxLatency + wait;
    description.NumMicroOps = from.NumMicroOps;
    description.SchedClassID = from.SchedClassID;
    description.MustIssueImmediately = from.MustIssueImmediately;
    description.IsRecyclable = false;
    description.HasPartiallyOverlappingGroups = from.HasPartiallyOverlappingGroups;
    for (const llvm::mca::WriteState& write : one.getDefs())
      description.Writes.push_back({.OpIndex = 0,
                                    .Latency = write.getLatency() + wait,
                                    .RegisterID = write.getRegisterID(),
                                    .SClassOrWriteResourceID = write.getWriteResourceID(),
                                    .IsOptionalDef = false});
    auto late = std::make_unique<llvm::mca::Instruction>(description, one.getOpcode());
    for (std::size_t i = 0; i < description.Writes.size(); ++i)
      late->getDefs().emplace_back(description.Writes[i], one.getDefs()[i].getRegisterID(),
                                   one.getDefs()[i].clearsSuperRegisters(), one.getDefs()[i].isWriteZero());
    late->getUses().append(one.getUses().begin(), one.getUses().end());
    late->setMayLoad(one.getMayLoad());
    late->setMayStore(one.getMayStore());
    late->setHasSideEffects(one.getHasSideEffects());
    late->setBeginGroup(one.getBeginGroup());
    late->setEndGroup(one.getEndGroup());
    late->setRetireOOO(one.getRetireOOO());
    late->setLoadBarrier(one.isALoadBarrier());
    late->setStoreBarrier(one.isAStoreBarrier());
    return late;
  }

  unsigned run(llvm::ArrayRef<Unique> sequence, unsigned times) const {
    llvm::mca::CircularSourceMgr source(sequence, times);
    llvm::mca::CustomBehaviour behaviour(*target.subtarget, source, *target.instructions);
    llvm::mca::Context context(*target.registers, *target.subtarget);
    const llvm::mca::PipelineOptions options(0, 0, 0, 0, 0, 0, /*NoAlias=*/true);
    const auto pipeline = target.subtarget->getSchedModel().isOutOfOrder()
                              ? context.createDefaultPipeline(options, source, behaviour)
                              : context.createInOrderPipeline(options, source, behaviour);
    llvm::Expected<unsigned> cycles = pipeline->run();
    PERFPACT_CHECK(static_cast<bool>(cycles), "{}", llvm::toString(cycles.takeError()));
    return *cycles;
  }

  const Cpu::Target& target;
  llvm::mca::InstrumentManager instruments;
  llvm::mca::InstrBuilder builder;
  std::vector<std::vector<llvm::MCInst>> known;  // parts of each instruction
  std::deque<llvm::mca::InstrDesc> descriptions;
};

Pipeline::Pipeline(const Cpu& cpu) : model_(std::make_unique<Model>(cpu.target())) {}
Pipeline::~Pipeline() = default;

std::optional<std::uint32_t> Pipeline::add(std::span<const std::uint8_t> bytes, std::uint64_t address) {
  std::vector<llvm::MCInst> parts;
  for (const Bytes& part : parts_of(bytes, address)) {
    const auto decoded = model_->target.decode(part, address);
    if (!decoded || !model_->make(*decoded)) return std::nullopt;
    parts.push_back(*decoded);
  }
  if (parts.empty()) return std::nullopt;
  model_->known.push_back(std::move(parts));
  return static_cast<std::uint32_t>(model_->known.size() - 1);
}

std::uint32_t Pipeline::iteration() {
  std::vector<llvm::MCInst>& parts = model_->known.emplace_back();
  for (const Bytes& part : {kLoadByte, kStoreByte}) {
    const auto decoded = model_->target.decode(part, 0);
    PERFPACT_CHECK(decoded, "LLVM does not decode a move");
    parts.push_back(*decoded);
  }
  return static_cast<std::uint32_t>(model_->known.size() - 1);
}

std::uint64_t Pipeline::cycles(std::span<const Executed> run) {
  if (run.empty()) return 0;
  std::vector<Model::Unique> sequence;
  for (const Executed& one : run)
    for (const llvm::MCInst& part : model_->known[one.number]) {
      Model::Unique made = model_->make(part);
      PERFPACT_CHECK(made != nullptr, "an instruction that was known is not");
      const bool waits = one.wait > 0 && made->getMayLoad();
      sequence.push_back(waits ? model_->delayed(*made, one.wait) : std::move(made));
    }
  const unsigned first = model_->run(sequence, kFirst);
  const unsigned all = model_->run(sequence, kFirst + kMore);
  model_->descriptions.clear();
  return (all - first + kMore - 1) / kMore;
}

}  // namespace perfpact::timing
