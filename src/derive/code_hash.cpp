#include "derive/code_hash.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>

namespace perfpact::derive {
namespace {

// The addresses of a module: from its first mapping to its last.
struct Range {
  std::uint64_t begin = 0, end = 0;
  [[nodiscard]] bool contains(std::uint64_t address) const { return address >= begin && address < end; }
};

Range module_of(const process::Process& process, std::uint64_t address) {
  const process::Mapping* own = process.mapping_of(address);
  Range range{own->begin, own->end};
  for (const process::Mapping& mapping : process.mappings())
    if (mapping.file == own->file) {
      range.begin = std::min(range.begin, mapping.begin);
      range.end = std::max(range.end, mapping.end);
    }
  return range;
}

class Hasher {
 public:
  Hasher(const Code& code, const Graph& graph)
      : code_(code), graph_(graph), module_(module_of(code.process(), graph.code.front())) {
    for (std::size_t i = 0; i < graph.code.size(); ++i) numbers_.emplace(graph.code[i], i);
  }

  std::string hash() {
    for (const std::uint64_t address : graph_.code) add(*code_.at(address));
    return llvm::toHex(sha_.final(), true);
  }

 private:
  void add(const x86::Instruction& instruction) {
    std::vector<std::uint8_t> bytes(instruction.decoded.length);
    (void)code_.process().read(instruction.address, bytes);
    const auto clear = [&](std::size_t offset, std::size_t bits) {
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), bits / 8, 0);
    };
    const auto& raw = instruction.decoded.raw;
    const bool is_relative =
        std::ranges::any_of(instruction.operands, [](const ZydisDecodedOperand& operand) {
          return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_RIP;
        });
    if (raw.disp.size == 32 && (is_relative || module_.contains(static_cast<std::uint64_t>(raw.disp.value))))
      clear(raw.disp.offset, raw.disp.size);
    for (const auto& immediate : raw.imm)
      if (immediate.size > 0 && (immediate.is_relative || module_.contains(immediate.value.u)))
        clear(immediate.offset, immediate.size);
    sha_.update(llvm::ArrayRef(bytes));
    std::string more;
    if (const auto target = code_.target(instruction))
      if (const auto number = numbers_.find(*target); number != numbers_.end())
        more += fmt::format(" {}", number->second);
    for (const Mark& mark : code_.marks(instruction.address))
      more += fmt::format(" {} {}", mark.is_outcome ? "outcome" : "pcv", mark.name);
    sha_.update(llvm::StringRef(more.data(), more.size() + 1));
  }

  const Code& code_;
  const Graph& graph_;
  Range module_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  llvm::SHA256 sha_;
};

}  // namespace

std::string code_sha256(const Code& code, const Graph& graph) {
  return Hasher(code, graph).hash();
}

}  // namespace perfpact::derive
