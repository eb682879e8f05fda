// What outcomes of a method require, return and leave, in the words of a contract pack:
//
//   contains(argument 1) and value < capacity
//
//   condition := atom {"and" atom}
//   atom      := ["not"] function | term comparison term
//   term      := number | "argument" N | "value" | field | function
//   function  := name "(" term {"," term} ")"
//
// `value` is what is returned or written where the condition stands at it. A function is part of the abstract
// state of the structure: the same arguments give the same value until an outcome leaves another one. As an
// atom it is a truth value. Tested by tests/library/condition_test.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace perfpact::library {

struct Term {
  enum class Kind : std::uint8_t { Number, Argument, Value, Field, Function };
  Kind kind{};
  std::uint64_t number = 0;     // Number; Argument: its position
  std::string name;             // Field, Function
  std::vector<Term> arguments;  // of a Function
  Span at;
};

struct Atom {
  enum class Comparison : std::uint8_t { Holds, Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };
  Comparison comparison{};
  bool is_negated = false;  // of Holds
  Term left;
  Term right;  // unless Holds
};

/// All of them hold.
using Condition = std::vector<Atom>;

/// `at` is the place of the text's first character. Reports pack-condition, pack-argument.
[[nodiscard]] Result<Condition> parse_condition(const std::string& text, const Span& at,
                                                Diagnostics& diagnostics);
[[nodiscard]] Result<Term> parse_term(const std::string& text, const Span& at, Diagnostics& diagnostics);

/// As it is written in a pack.
[[nodiscard]] std::string to_string(const Term& term);
[[nodiscard]] std::string to_string(const Condition& condition);

}  // namespace perfpact::library
