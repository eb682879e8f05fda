// The accesses to memory of one call of the entry, as it is stepped.
#pragma once
#include "count/blocks.h"
#include "count/count.h"
#include "process/live.h"
#include "x86/accesses.h"

namespace perfpact::count {

class AccessTracer {
 public:
  AccessTracer(const process::LiveProcess& program, const Image& image)
      : program_(program), image_(image), blocks_(image) {}

  /// The thread stands at the entry; `packet` is where the packet is, and how long.
  void begin(std::uint64_t stack, std::uint64_t packet, std::uint64_t length);
  /// An instruction, or an iteration of it, is about to be executed, and was: in this call of a method.
  void execute(const user_regs_struct& registers, const process::Step& step);
  void executed(std::optional<std::size_t> call);
  [[nodiscard]] std::vector<Access> end() { return std::move(accesses_); }

 private:
  [[nodiscard]] std::string place_of(std::uint64_t address);

  const process::LiveProcess& program_;
  const Image& image_;
  Blocks blocks_;
  std::uint64_t stack_ = 0, packet_ = 0, length_ = 0;
  std::optional<process::Mapping> stack_mapping_;
  std::uint64_t address_ = 0;         // of the instruction
  std::vector<x86::Access> pending_;  // of it
  std::vector<Access> accesses_;
};

}  // namespace perfpact::count
