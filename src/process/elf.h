// An ELF file of a process: the program, a shared library, the vDSO. The only part that reads ELF.
#pragma once
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llvm::object {
class ObjectFile;
}

namespace perfpact::process {

class Elf {
 public:
  /// Of a file, or of its bytes as they lie in memory; the error says why it cannot be read.
  [[nodiscard]] static std::expected<std::shared_ptr<const Elf>, std::string> open(const std::string& path);
  [[nodiscard]] static std::expected<std::shared_ptr<const Elf>, std::string> in_memory(std::string bytes);
  ~Elf();
  Elf(const Elf&) = delete;
  Elf& operator=(const Elf&) = delete;

  /// A loadable segment, in the file's addresses.
  struct Segment {
    std::uint64_t address = 0, size = 0, offset = 0;
    bool executable = false;
  };
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }

  /// Defined functions and objects of both symbol tables, in the file's addresses.
  struct ElfSymbol {
    std::string name;
    std::uint64_t address = 0, size = 0;
    bool is_function = false;
    bool is_indirect = false;  // the address is that of the function that chooses
  };
  [[nodiscard]] std::vector<ElfSymbol> symbols() const;

  struct Section {
    std::uint64_t address = 0, size = 0, alignment = 0;
  };
  [[nodiscard]] std::optional<Section> section(std::string_view name) const;

  [[nodiscard]] const llvm::object::ObjectFile& object() const;

 private:
  struct File;
  explicit Elf(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
  std::vector<Segment> segments_;
};

/// Why a file is no program that can be run here.
struct NoProgram {
  bool is_elf = false;
  std::string what;  // "a script", "i386 (32 bits)"
};
/// Nothing where the bytes a file begins with are those of an x86-64 ELF program.
[[nodiscard]] std::optional<NoProgram> why_no_program(std::string_view beginning);

}  // namespace perfpact::process
