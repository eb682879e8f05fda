// The part of the processor's state that programs without floating point see. Registers are numbered as the
// instruction encoding does (Intel SDM vol. 2, table 3-1): rax 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi 6,
// rdi 7, r8 to r15.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace perfpact::x86 {

enum Gpr : std::uint8_t { Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi, R8, R9, R10, R11, R12, R13, R14, R15 };
inline constexpr std::size_t kGprs = 16;
inline constexpr std::array<std::string_view, kGprs> kGprNames{"rax", "rcx", "rdx", "rbx", "rsp", "rbp",
                                                               "rsi", "rdi", "r8",  "r9",  "r10", "r11",
                                                               "r12", "r13", "r14", "r15"};
inline constexpr std::size_t kXmms = 16;

/// System V x86-64 ABI, section 3.2.3: the registers of integer arguments, in order.
inline constexpr std::array<Gpr, 6> kArguments{Rdi, Rsi, Rdx, Rcx, R8, R9};
/// The same, section 3.2.1: what a called function keeps.
inline constexpr std::array<Gpr, 7> kCalleeSaved{Rbx, Rsp, Rbp, R12, R13, R14, R15};

// Bits of rflags.
inline constexpr std::uint64_t kCf = 1U << 0, kPf = 1U << 2, kAf = 1U << 4, kZf = 1U << 6, kSf = 1U << 7,
                               kDf = 1U << 10, kOf = 1U << 11;

struct Registers {
  std::array<std::uint64_t, kGprs> gpr{};
  std::array<std::array<std::uint64_t, 2>, kXmms> xmm{};  // low half first
  std::uint64_t rip = 0;
  std::uint64_t rflags = 0;
  std::uint64_t fs_base = 0;
  std::uint64_t gs_base = 0;
};

}  // namespace perfpact::x86
