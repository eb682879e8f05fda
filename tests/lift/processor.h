// The processor as an oracle: executes one instruction with given registers, for tests. Linux on x86-64.
#pragma once
#include <cstdint>
#include <span>

#include "x86/registers.h"

namespace perfpact::lift {

// What instructions read and write of rflags.
inline constexpr std::uint64_t kFlags =
    x86::kCf | x86::kPf | x86::kAf | x86::kZf | x86::kSf | x86::kDf | x86::kOf;

/// There is one: it takes over the signals of breakpoints and faults.
class Processor {
 public:
  [[nodiscard]] static Processor& instance();

  /// A page of breakpoints, and an instruction is put in its middle; both pages lie below 2 GB.
  [[nodiscard]] std::uint64_t code() const;
  /// A page that instructions read and write.
  [[nodiscard]] std::span<std::uint8_t> data() const;

  [[nodiscard]] std::uint64_t fs_base() const { return fs_base_; }
  /// That of the page of data.
  [[nodiscard]] std::uint64_t gs_base() const { return reinterpret_cast<std::uint64_t>(data().data()); }

  void put(std::span<const std::uint8_t> instruction);

  /// Executes the instruction that was put, all of its iterations, and whatever it jumps to, which is to be
  /// in the page of code. Gives the signal, 0 where it ended well. `rip` is where it went, or the instruction
  /// itself after a signal.
  int run(x86::Registers& registers);

  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

 private:
  Processor();
  std::uint8_t* pages_ = nullptr;
  std::uint64_t fs_base_ = 0;
};

}  // namespace perfpact::lift
