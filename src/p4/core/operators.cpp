// Operators. Each that is computed at run time is an event compute(operator; bits), bits the width of its
// wider operand.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {
namespace {

using ast::BinaryOperator;
using program::EventKind;

bool is_comparison(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Equal:
    case BinaryOperator::NotEqual:
    case BinaryOperator::Less:
    case BinaryOperator::LessEqual:
    case BinaryOperator::Greater:
    case BinaryOperator::GreaterEqual:
      return true;
    default:
      return false;
  }
}

Op arithmetic(BinaryOperator op, bool is_signed) {
  switch (op) {
    case BinaryOperator::Add:
      return Op::Add;
    case BinaryOperator::Subtract:
      return Op::Sub;
    case BinaryOperator::Multiply:
      return Op::Mul;
    case BinaryOperator::Divide:
      return Op::Div;
    case BinaryOperator::Modulo:
      return Op::Mod;
    case BinaryOperator::AddSaturate:
      return is_signed ? Op::AddSatSigned : Op::AddSat;
    case BinaryOperator::SubtractSaturate:
      return is_signed ? Op::SubSatSigned : Op::SubSat;
    case BinaryOperator::BitAnd:
      return Op::And;
    case BinaryOperator::BitOr:
      return Op::Or;
    case BinaryOperator::BitXor:
      return Op::Xor;
    default:
      break;
  }
  PERFPACT_CHECK(false, "no arithmetic operator: {}", spelling(op));
  return Op::Copy;
}

}  // namespace

Value Lowering::evaluate_unary(const ast::Unary& unary) {
  Value operand = evaluate(*unary.operand);
  Value result = operand;
  result.type = type_of(unary);
  if (unary.op == ast::UnaryOperator::Plus) return result;
  event(unary.span, EventKind::Compute, {std::string(spelling(unary.op))}, {number(operand.scalar.width)});
  const Op op = unary.op == ast::UnaryOperator::Negate ? Op::Negate : Op::Not;
  result.scalar = compute(unary.span, op, operand.scalar.width, {operand.scalar});
  return result;
}

Value Lowering::evaluate_binary(const ast::Binary& binary) {
  if (binary.op == BinaryOperator::And || binary.op == BinaryOperator::Or) return evaluate_logical(binary);
  Value left = evaluate(*binary.left);
  if (!is_pure(*binary.right)) left = snapshot(binary.span, left);
  Value right = evaluate(*binary.right);
  const std::uint64_t bits =
      std::max(data_bits(typed_.types(), left.type), data_bits(typed_.types(), right.type));
  event(binary.span, EventKind::Compute, {std::string(spelling(binary.op))}, {number(bits)});
  Value result;
  result.type = type_of(binary);
  result.scalar = binary_operation(binary.span, binary.op, left, right, result.type);
  return result;
}

Operand Lowering::binary_operation(const Span& at, BinaryOperator op, const Value& left, const Value& right,
                                   const Type* result) {
  if (op == BinaryOperator::ShiftLeft || op == BinaryOperator::ShiftRight) return shift(at, op, left, right);
  if (op == BinaryOperator::Concat)
    return compute(at, Op::Concat, left.scalar.width + right.scalar.width, {left.scalar, right.scalar});
  if (op == BinaryOperator::Equal) return equal(at, left, right);
  if (op == BinaryOperator::NotEqual) return bool_not(at, equal(at, left, right));

  Operand a = left.scalar;
  Operand b = right.scalar;
  const bool left_int = representation(left.type)->is(TypeKind::InfInt);
  const bool right_int = representation(right.type)->is(TypeKind::InfInt);
  const bool sign = core::is_signed(left.type) || core::is_signed(right.type) || (left_int && right_int);
  std::uint32_t width = scalar_width(resolve(result));
  if (left_int && right_int) {  // wide enough for any result
    width = op == BinaryOperator::Multiply ? a.width + b.width : std::max(a.width, b.width) + 1;
    a = resize(at, a, width, true);
    b = resize(at, b, width, true);
  } else if (left_int) {  // takes the other side's width
    a = resize(at, a, b.width, true);
  } else if (right_int) {
    b = resize(at, b, a.width, true);
  }
  if (left_int && right_int && (op == BinaryOperator::Divide || op == BinaryOperator::Modulo))
    unsupported(at, "division of values of type int at run time");
  if (is_comparison(op)) {
    const bool swap = op == BinaryOperator::Greater || op == BinaryOperator::GreaterEqual;
    const bool or_equal = op == BinaryOperator::LessEqual || op == BinaryOperator::GreaterEqual;
    if (swap) std::swap(a, b);
    const Op less = sign ? Op::LessSigned : Op::Less;
    const Op less_equal = sign ? Op::LessEqualSigned : Op::LessEqual;
    return compute(at, or_equal ? less_equal : less, 1, {a, b});
  }
  if ((op == BinaryOperator::Divide || op == BinaryOperator::Modulo) && !(b.is_constant && b.value != 0)) {
    Operand is_zero = compute(at, Op::Equal, 1, {b, Operand::constant(b.width, 0)});
    when(at, is_zero, true, [&] {
      emit(at, Fail{"division by zero"});
      jump(at, context_.epilogue);
    });
  }
  return compute(at, arithmetic(op, sign), width, {a, b});
}

Operand Lowering::shift(const Span& at, BinaryOperator op, const Value& left, const Value& right) {
  Op code = Op::ShiftLeft;
  if (op == BinaryOperator::ShiftRight)
    code = core::is_signed(left.type) ? Op::ShiftRightSigned : Op::ShiftRight;
  return compute(at, code, left.scalar.width, {left.scalar, right.scalar});
}

Operand Lowering::equal(const Span& at, const Value& left, const Value& right) {
  if (left.scalar.width != 0) {
    Operand a = left.scalar;
    Operand b = right.scalar;
    // Constants of type int and varbits of different maximum.
    const std::uint32_t width = std::max(a.width, b.width);
    const bool left_int = representation(left.type)->is(TypeKind::InfInt);
    const bool right_int = representation(right.type)->is(TypeKind::InfInt);
    if (left_int && right_int) {
      a = resize(at, a, width, true);
      b = resize(at, b, width, true);
    } else if (left_int) {
      a = resize(at, a, b.width, true);
    } else if (right_int) {
      b = resize(at, b, a.width, true);
    } else {
      a = resize(at, a, width, false);
      b = resize(at, b, width, false);
    }
    Operand same = compute(at, Op::Equal, 1, {a, b});
    if (left.length.width != 0)
      same = bool_and(at, same, compute(at, Op::Equal, 1, {left.length, right.length}));
    return same;
  }
  Operand same = Operand::constant(1, 1);
  PERFPACT_CHECK(left.parts.size() == right.parts.size(), "{} compared with {}", to_string(left.type),
                 to_string(right.type));
  for (std::size_t i = 0; i < left.parts.size(); ++i)
    same = bool_and(at, same, equal(at, left.parts[i], right.parts[i]));
  if (left.valid.width != 0) {
    // Both invalid, or both valid with equal fields.
    Operand both = bool_and(at, left.valid, right.valid);
    Operand neither = bool_not(at, bool_or(at, left.valid, right.valid));
    same = bool_or(at, neither, bool_and(at, both, same));
  }
  return same;
}

Value Lowering::evaluate_logical(const ast::Binary& binary) {
  const bool is_and = binary.op == BinaryOperator::And;
  Operand left = scalar(*binary.left);
  Value result;
  result.type = type_of(binary);
  if (left.is_constant) {
    const bool decided = (left.value != 0) != is_and;
    result.scalar = decided ? left : scalar(*binary.right);
    return result;
  }
  event(binary.span, EventKind::Compute, {std::string(spelling(binary.op))}, {number(1)});
  if (is_silent(*binary.right) || constant(*binary.right)) {
    Operand right = scalar(*binary.right);
    result.scalar = is_and ? bool_and(binary.span, left, right) : bool_or(binary.span, left, right);
    return result;
  }
  SlotId value = new_temporary(1);
  assign(binary.span, value, left);
  BlockId other = new_block();
  BlockId after = new_block();
  branch(binary.span, left, is_and ? other : after, is_and ? after : other, true);
  enter(other);
  assign(binary.span, value, scalar(*binary.right));
  jump(binary.span, after);
  enter(after);
  result.scalar = of(value);
  return result;
}

}  // namespace perfpact::p4::core
