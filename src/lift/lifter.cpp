#include "lift/lifter.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include <array>

#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

constexpr std::string_view kBlockPrefix = "perfpact.block.";

llvm::Function* make_function(llvm::Module& module, std::uint64_t address) {
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::IntegerType::get(context, 64),
                                       {llvm::PointerType::get(context, 0)}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                          fmt::format("{}{:x}", kBlockPrefix, address), module);
  function->getArg(0)->setName("machine");
  return function;
}

}  // namespace

std::optional<x86::Instruction> decode_at(const CodeSource& source, std::uint64_t address) {
  std::array<std::uint8_t, x86::kLongestInstruction> bytes{};
  const std::size_t size = source.read(address, bytes);
  return x86::decode(std::span(bytes).first(size), address);
}

Lifter::Lifter(llvm::LLVMContext& context, CodeSource source)
    : source_(std::move(source)), module_(std::make_unique<llvm::Module>("lifted", context)) {}

Lifter::~Lifter() = default;

const Block& Lifter::block(std::uint64_t address) {
  const auto [place, is_new] = blocks_.try_emplace(address);
  Block& block = place->second;
  if (!is_new) return block;
  block = {.address = address, .end = address, .function = make_function(*module_, address)};
  BlockLifter lifter(*block.function, block, source_);
  for (std::size_t count = 0; !lifter.ended(); ++count) {
    if (count > 0 && (count == kLongestBlock || source_.begins_block(block.end))) {
      lifter.leave(Flow::Next, block.end);
      break;
    }
    const std::optional<x86::Instruction> instruction = decode_at(source_, block.end);
    const bool stands_alone = !instruction || instruction->repeats();
    if (count > 0 && stands_alone) {
      lifter.leave(Flow::Next, block.end);
    } else if (!instruction) {
      lifter.trap(Trap::NoCode);
    } else {
      lifter.lift(*instruction, add_sites(*instruction));
      block.end = instruction->next();
    }
  }
  return block;
}

std::uint32_t Lifter::add_sites(const x86::Instruction& instruction) {
  const auto number = static_cast<std::uint32_t>(sites_.size());
  const Site site{.address = instruction.address,
                  .loads = instruction.loads,
                  .stores = instruction.stores,
                  .repeats = instruction.repeats(),
                  .mnemonic = x86::mnemonic(instruction)};
  sites_.push_back(site);
  if (!site.repeats) return number;
  Site& none = sites_.emplace_back(site);
  none.loads = none.stores = 0;
  return number;
}

}  // namespace perfpact::lift
