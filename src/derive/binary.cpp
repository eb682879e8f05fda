#include "derive/binary.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>

#include "derive/code_hash.h"
#include "derive/diagnostics.h"
#include "explore/native/structures.h"
#include "process/elf.h"
#include "process/llvm_elf.h"

namespace perfpact::derive {
namespace {

constexpr std::size_t kNoteHead = 16;  // bytes: three sizes, "GNU\0"

std::string section_text(const process::Elf& elf, std::string_view name) {
  for (const llvm::object::SectionRef& section : elf.object().sections()) {
    auto its_name = section.getName();
    if (!its_name) {
      llvm::consumeError(its_name.takeError());
      continue;
    }
    if (std::string_view(*its_name) != name) continue;
    auto contents = section.getContents();
    if (contents) return contents->str();
    llvm::consumeError(contents.takeError());
  }
  return "";
}

std::string build_id(const process::Elf& elf) {
  const std::string note = section_text(elf, ".note.gnu.build-id");
  return note.size() <= kNoteHead ? "" : llvm::toHex(llvm::StringRef(note).substr(kNoteHead), true);
}

// What compiled the code at an address: "GNU C11 12.2.0 -O2 ..." by gcc, without its options by clang.
std::string producer(const process::Elf& elf, std::uint64_t address) {
  const auto context = llvm::DWARFContext::create(elf.object());
  llvm::DWARFCompileUnit* unit = context->getCompileUnitForCodeAddress(address);
  if (unit == nullptr) return "";
  return llvm::dwarf::toString(unit->getUnitDIE().find(llvm::dwarf::DW_AT_producer), "");
}

// The section is a row of texts, one a compiler and often repeated.
std::string comment(const process::Elf& elf) {
  const std::string texts = section_text(elf, ".comment");
  return texts.substr(0, texts.find('\0'));
}

}  // namespace

Binary binary_of(const process::Process& process, const std::vector<DerivedMethod>& derived) {
  const std::uint64_t address = derived.front().address;
  const process::Mapping* mapping = process.mapping_of(address);
  Binary binary{.file = mapping->file.substr(mapping->file.rfind('/') + 1)};
  llvm::SHA256 sha;
  for (const DerivedMethod& method : derived) sha.update(method.code_sha256);
  binary.code_sha256 = llvm::toHex(sha.final(), true);
  const auto elf = process::Elf::open(mapping->file);
  if (!elf) return binary;
  binary.build_id = build_id(**elf);
  const std::string made_by = producer(**elf, process.relative(address).second);
  const std::size_t options = made_by.find(" -");
  binary.compiler = made_by.empty() ? comment(**elf) : made_by.substr(0, options);
  if (options != std::string::npos) binary.flags = made_by.substr(options + 1);
  return binary;
}

std::string start_of(const std::string& program) {
  const auto elf = process::Elf::open(program);
  const auto* object = elf ? llvm::dyn_cast<llvm::object::ELFObjectFileBase>(&(*elf)->object()) : nullptr;
  if (object == nullptr) return "main";
  auto start = object->getStartAddress();
  if (start) return fmt::format("{:#x}", *start);
  llvm::consumeError(start.takeError());
  return "main";
}

}  // namespace perfpact::derive
