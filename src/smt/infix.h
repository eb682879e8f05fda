// Expressions as people write them: `packet[12] . packet[13] == 0x800`, `length < 14`.
//
//   . concatenation    [7:4] bits 7 to 4    <s signed
//
// Zeros before or behind a value are not written as such (`length * 8`), nor is a sum modulo 2^n with a large
// constant (`length * 8 - 112`). Constants below 1000 are decimal. Parts that are deeper than a limit are
// written `...`, since shared ones would be written again and again; smt2.h is the exact form. Tested by
// tests/smt/infix_test.cpp.
#pragma once
#include <string>

#include "smt/expr.h"

namespace perfpact::smt {

inline constexpr unsigned kInfixDepth = 10;

[[nodiscard]] std::string to_infix(Expr expr, unsigned depth = kInfixDepth);

}  // namespace perfpact::smt
