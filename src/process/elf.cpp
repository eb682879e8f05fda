#include "process/elf.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Magic.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>

#include "process/llvm_elf.h"

namespace perfpact::process {

using llvm::object::ELF64LEObjectFile;

struct Elf::File {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<ELF64LEObjectFile> object;
};

namespace {

using Symbols = std::vector<Elf::ElfSymbol>;

// What cannot be read of a damaged file is left out.
template <class T>
std::optional<T> value_of(llvm::Expected<T> expected) {
  if (expected) return std::move(*expected);
  llvm::consumeError(expected.takeError());
  return std::nullopt;
}

// Hand-written assembly often gives its functions no type.
bool is_untyped_code(const ELF64LEObjectFile& object, const llvm::object::ELFSymbolRef& symbol) {
  const auto section = value_of(symbol.getSection());
  return section && *section != object.section_end() && (*section)->isText();
}

void add(Symbols& symbols, const ELF64LEObjectFile& object, const llvm::object::ELFSymbolRef& symbol) {
  const auto flags = value_of(symbol.getFlags());
  if (!flags || (*flags & llvm::object::SymbolRef::SF_Undefined) != 0) return;
  const std::uint8_t type = symbol.getELFType();
  const bool is_function = type == llvm::ELF::STT_FUNC || type == llvm::ELF::STT_GNU_IFUNC ||
                           (type == llvm::ELF::STT_NOTYPE && is_untyped_code(object, symbol));
  if (!is_function && type != llvm::ELF::STT_OBJECT) return;
  const auto name = value_of(symbol.getName());
  const auto address = value_of(symbol.getValue());
  if (!name || name->empty() || !address) return;
  symbols.push_back({name->str(), *address, symbol.getSize(), is_function, type == llvm::ELF::STT_GNU_IFUNC});
}

std::string machine_name(std::uint16_t machine) {
  switch (machine) {
    case llvm::ELF::EM_386:
      return "i386";
    case llvm::ELF::EM_ARM:
      return "ARM";
    case llvm::ELF::EM_AARCH64:
      return "AArch64";
    case llvm::ELF::EM_MIPS:
      return "MIPS";
    case llvm::ELF::EM_PPC64:
      return "PowerPC";
    case llvm::ELF::EM_RISCV:
      return "RISC-V";
    case llvm::ELF::EM_S390:
      return "S/390";
    case llvm::ELF::EM_BPF:
      return "BPF";
    case llvm::ELF::EM_X86_64:
      return "x86-64";
    default:
      return fmt::format("machine {}", machine);
  }
}

std::string kind_of(std::string_view beginning) {
  if (beginning.empty()) return "empty";
  if (beginning.starts_with("#!")) {
    const std::string_view line = beginning.substr(2, std::min(beginning.find('\n'), std::size_t{60}) - 2);
    return fmt::format("a script of {}", line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  switch (llvm::identify_magic({beginning.data(), beginning.size()})) {
    case llvm::file_magic::archive:
      return "an archive of object files";
    case llvm::file_magic::bitcode:
      return "LLVM bitcode";
    case llvm::file_magic::pecoff_executable:
      return "a Windows program";
    default:
      return "no ELF file";
  }
}

}  // namespace

Elf::Elf(std::unique_ptr<File> file) : file_(std::move(file)) {
  const auto headers = value_of(file_->object->getELFFile().program_headers());
  if (!headers) return;
  for (const auto& header : *headers) {
    if (header.p_type != llvm::ELF::PT_LOAD) continue;
    segments_.push_back(
        {header.p_vaddr, header.p_memsz, header.p_offset, (header.p_flags & llvm::ELF::PF_X) != 0});
  }
}

Elf::~Elf() = default;

const llvm::object::ObjectFile& Elf::object() const {
  return *file_->object;
}

std::expected<std::shared_ptr<const Elf>, std::string> Elf::open(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (!buffer) return std::unexpected(buffer.getError().message());
  auto object = ELF64LEObjectFile::create((*buffer)->getMemBufferRef());
  if (!object) return std::unexpected(llvm::toString(object.takeError()));
  auto file =
      std::make_unique<File>(std::move(*buffer), std::make_unique<ELF64LEObjectFile>(std::move(*object)));
  return std::shared_ptr<const Elf>(new Elf(std::move(file)));
}

std::expected<std::shared_ptr<const Elf>, std::string> Elf::in_memory(std::string bytes) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes);
  auto object = ELF64LEObjectFile::create(buffer->getMemBufferRef());
  if (!object) return std::unexpected(llvm::toString(object.takeError()));
  auto file =
      std::make_unique<File>(std::move(buffer), std::make_unique<ELF64LEObjectFile>(std::move(*object)));
  return std::shared_ptr<const Elf>(new Elf(std::move(file)));
}

std::vector<Elf::ElfSymbol> Elf::symbols() const {
  Symbols symbols;
  const ELF64LEObjectFile& object = *file_->object;
  for (const llvm::object::ELFSymbolRef symbol : object.symbols()) add(symbols, object, symbol);
  for (const llvm::object::ELFSymbolRef symbol : object.getDynamicSymbolIterators())
    add(symbols, object, symbol);
  return symbols;
}

std::optional<Elf::Section> Elf::section(std::string_view name) const {
  for (const llvm::object::ELFSectionRef section : file_->object->sections()) {
    const auto its_name = value_of(section.getName());
    if (its_name && std::string_view(*its_name) == name)
      return Section{section.getAddress(), section.getSize(), section.getAlignment().value()};
  }
  return std::nullopt;
}

std::optional<NoProgram> why_no_program(std::string_view beginning) {
  if (!beginning.starts_with("\x7f"
                             "ELF"))
    return NoProgram{false, kind_of(beginning)};
  llvm::ELF::Elf64_Ehdr header{};
  std::memcpy(&header, beginning.data(), std::min(beginning.size(), sizeof header));
  const bool is_64_bits = header.e_ident[llvm::ELF::EI_CLASS] == llvm::ELF::ELFCLASS64;
  const bool is_little = header.e_ident[llvm::ELF::EI_DATA] == llvm::ELF::ELFDATA2LSB;
  const std::uint16_t machine =
      is_little ? header.e_machine : static_cast<std::uint16_t>(__builtin_bswap16(header.e_machine));
  if (!is_64_bits || !is_little || machine != llvm::ELF::EM_X86_64)
    return NoProgram{true, fmt::format("{} ({} bits)", machine_name(machine), is_64_bits ? 64 : 32)};
  if (beginning.size() < sizeof header) return NoProgram{false, "a cut ELF file"};
  if (header.e_type == llvm::ELF::ET_REL) return NoProgram{false, "an object file that is not linked"};
  if (header.e_type == llvm::ELF::ET_CORE) return NoProgram{false, "a core dump"};
  return std::nullopt;
}

}  // namespace perfpact::process
