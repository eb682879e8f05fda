// Text to machine code, for tests: one instruction, Intel syntax, by LLVM's assembler.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perfpact::lift {

class Assembler {
 public:
  Assembler();
  ~Assembler();

  /// Empty where it is no instruction. A jump's target is its displacement from the next instruction.
  [[nodiscard]] std::vector<std::uint8_t> assemble(const std::string& line) const;

 private:
  struct Target;
  std::unique_ptr<Target> target_;
};

}  // namespace perfpact::lift
