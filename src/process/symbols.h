// The modules of a process and their symbols.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "process/elf.h"
#include "process/process.h"

namespace perfpact::process {

struct Module {
  std::string name;  // file name without folders
  std::string path;
  std::uint64_t bias = 0;  // an address in the process less that in the file
  std::uint64_t begin = 0, end = 0;
  std::shared_ptr<const Elf> elf;
};

class Modules {
 public:
  /// Of the files mapped as code. The program comes first, then by falling address: the order in which
  /// the dynamic linker loads. `pid` for the vDSO, which is no file; its symbols are left out where it is
  /// gone.
  Modules() = default;
  Modules(const std::string& program, const std::vector<Mapping>& mappings, pid_t pid);

  [[nodiscard]] const std::vector<Module>& all() const { return modules_; }
  /// Null where no module has the address.
  [[nodiscard]] const Module* at(std::uint64_t address) const;
  /// By its name; null where there is none.
  [[nodiscard]] const Module* named(std::string_view name) const;

  /// Gives indirect functions the address that `implementation` has for the function that chooses.
  void resolve_indirect(
      const std::function<std::optional<std::uint64_t>(std::uint64_t resolver)>& implementation);

  /// As Process has them.
  [[nodiscard]] const Symbol* symbol_of(std::uint64_t address) const;
  [[nodiscard]] std::vector<const Symbol*> find_symbols(std::string_view name) const;
  [[nodiscard]] std::string describe(std::uint64_t address, const std::vector<Mapping>& mappings) const;
  [[nodiscard]] std::pair<std::uint32_t, std::uint64_t> relative(std::uint64_t address) const;
  /// Names of all functions of a module.
  [[nodiscard]] std::vector<std::string> functions(const Module& module) const;

 private:
  void add(std::string path, std::shared_ptr<const Elf> elf, std::uint64_t bias);
  void add_vdso(const Mapping& mapping, pid_t pid);
  void index();
  [[nodiscard]] const Symbol* covering(std::size_t behind, std::uint64_t address) const;
  [[nodiscard]] const Symbol* ending_before(std::size_t behind, const Module& module) const;

  std::vector<Module> modules_;
  std::vector<Symbol> symbols_;       // by address
  std::vector<std::uint64_t> reach_;  // the highest end of symbols_[0..i]
  std::multimap<std::string, const Symbol*, std::less<>> by_name_;
};

}  // namespace perfpact::process
