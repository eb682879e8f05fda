// Operations that are made of those of Context: what the core form and LLVM have besides.
// Tested by tests/smt/derived_test.cpp.
#pragma once
#include "smt/context.h"

namespace perfpact::smt {

/// The low bits, or zeros before: unsigned conversion to any width.
[[nodiscard]] Expr resize(Context& context, Expr a, std::uint32_t width);

/// A shift (Shl, LShr, AShr) by an unsigned amount of any width.
[[nodiscard]] Expr shift(Context& context, Op op, Expr a, Expr amount);

/// `a` with its bits high..low replaced by `b`.
[[nodiscard]] Expr insert(Context& context, Expr a, std::uint32_t high, std::uint32_t low, Expr b);

/// Sums and differences that stay at the least or greatest value instead of wrapping.
[[nodiscard]] Expr add_saturated(Context& context, Expr a, Expr b);
[[nodiscard]] Expr sub_saturated(Context& context, Expr a, Expr b);
[[nodiscard]] Expr add_saturated_signed(Context& context, Expr a, Expr b);
[[nodiscard]] Expr sub_saturated_signed(Context& context, Expr a, Expr b);

/// 1 bit: the signed sum or difference wraps.
[[nodiscard]] Expr add_overflows_signed(Context& context, Expr a, Expr b);
[[nodiscard]] Expr sub_overflows_signed(Context& context, Expr a, Expr b);

/// As wide as the operand, of which a count of zeros is the width where it is zero.
[[nodiscard]] Expr count_ones(Context& context, Expr a);
[[nodiscard]] Expr count_leading_zeros(Context& context, Expr a);
[[nodiscard]] Expr count_trailing_zeros(Context& context, Expr a);

/// The bytes in the opposite order.
[[nodiscard]] Expr swap_bytes(Context& context, Expr a);

}  // namespace perfpact::smt
