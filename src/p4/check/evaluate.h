// Compile-time evaluation, shared by the checker (names of constants only) and the lowering (constructor
// parameters have values there, type variables have types).
#pragma once
#include <functional>

#include "p4/check/typed_program.h"

namespace perfpact::p4 {

struct EvaluationContext {
  /// The value of a name that is not a constant declaration (a constructor parameter); null: not known.
  std::function<const Constant*(const ast::Declaration&)> lookup;
  const Substitution* substitution = nullptr;
};

/// The value of an expression with its implicit cast applied; nothing when it is not known at compile time.
/// Integers of type bit<w>, int<w> are reduced to their width. Never reports.
[[nodiscard]] std::optional<Constant> evaluate(const TypedProgram& program, const ast::Expression& expression,
                                               const EvaluationContext& context = {});
/// The value converted to a type as a cast does it: integers are reduced to the width, 0 and 1 become bool
/// and back, fields of {a = x} are put in the order of the type.
[[nodiscard]] std::optional<Constant> convert(const TypedProgram& program, const Constant& value,
                                              const Type* from, const Type* to);
/// A binary operation on integers of a type, as P4 defines it (saturation, shifts, sign). Nothing for
/// division by zero and the like.
[[nodiscard]] std::optional<Constant> apply_binary(ast::BinaryOperator op, const Constant& left,
                                                   const Constant& right, const Type* left_type,
                                                   const Type* right_type);
/// One step of evaluate: the value of an expression (without its cast) from the final values of its operands.
using OperandValues = std::function<std::optional<Constant>(const ast::Expression&)>;
[[nodiscard]] std::optional<Constant> fold(const TypedProgram& program, const ast::Expression& expression,
                                           const OperandValues& operand,
                                           const EvaluationContext& context = {});
/// An integer reduced to the width (and sign) of a Bits type or of what is represented by one; int:
/// unchanged.
[[nodiscard]] Integer reduce(const Integer& value, const Type* type);
[[nodiscard]] bool equal(const Constant& left, const Constant& right);

}  // namespace perfpact::p4
