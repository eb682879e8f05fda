// Arithmetic of P4_16 (specification, sections 8.5 to 8.8) on compile-time values.
#include "p4/check/evaluate.h"

namespace perfpact::p4 {

namespace {

using ast::BinaryOperator;

// Larger results of int arithmetic are taken as not known, so that a few constants cannot fill the memory.
constexpr unsigned kMaxIntBits = 1U << 20;

unsigned bit_length(const Integer& value) {
  return value == 0 ? 0 : static_cast<unsigned>(boost::multiprecision::msb(abs(value))) + 1;
}

Integer as_unsigned(const Integer& value, const Type* type) {
  if (!type->is(TypeKind::Bits)) return value;
  return value < 0 ? Integer(value + (Integer(1) << type->width)) : value;
}

Integer saturated(const Integer& value, const Type* type) {
  const Integer high = type->is_signed ? all_ones(type->width - 1) : all_ones(type->width);
  const Integer low = type->is_signed ? Integer(-high - 1) : Integer(0);
  return std::clamp(value, low, high);
}

std::optional<Integer> shifted_left(const Integer& value, const Integer& amount, const Type* type) {
  if (amount < 0) return std::nullopt;
  if (type->is(TypeKind::Bits) && amount >= type->width) return Integer(0);
  if (amount > kMaxIntBits || bit_length(value) > kMaxIntBits) return std::nullopt;
  return Integer(value * (Integer(1) << static_cast<unsigned>(amount)));
}

std::optional<Integer> shifted_right(const Integer& value, const Integer& amount) {
  if (amount < 0) return std::nullopt;
  if (amount >= bit_length(value)) return value < 0 ? Integer(-1) : Integer(0);
  const Integer divisor = Integer(1) << static_cast<unsigned>(amount);
  Integer quotient = value / divisor;
  if (value < 0 && quotient * divisor != value) --quotient;
  return quotient;
}

std::optional<Integer> divided(BinaryOperator op, const Integer& left, const Integer& right) {
  if (right <= 0 || left < 0) return std::nullopt;
  return op == BinaryOperator::Divide ? Integer(left / right) : Integer(left % right);
}

std::optional<Integer> arithmetic(BinaryOperator op, const Integer& left, const Integer& right,
                                  const Type* type) {
  switch (op) {
    case BinaryOperator::Multiply:
      if (bit_length(left) + bit_length(right) > kMaxIntBits) return std::nullopt;
      return Integer(left * right);
    case BinaryOperator::Divide:
    case BinaryOperator::Modulo:
      return divided(op, left, right);
    case BinaryOperator::Add:
      return Integer(left + right);
    case BinaryOperator::Subtract:
      return Integer(left - right);
    case BinaryOperator::AddSaturate:
      return saturated(left + right, type);
    case BinaryOperator::SubtractSaturate:
      return saturated(left - right, type);
    case BinaryOperator::ShiftLeft:
      return shifted_left(left, right, type);
    case BinaryOperator::ShiftRight:
      return shifted_right(left, right);
    case BinaryOperator::BitAnd:
      return Integer(as_unsigned(left, type) & as_unsigned(right, type));
    case BinaryOperator::BitXor:
      return Integer(as_unsigned(left, type) ^ as_unsigned(right, type));
    case BinaryOperator::BitOr:
      return Integer(as_unsigned(left, type) | as_unsigned(right, type));
    default:
      return std::nullopt;
  }
}

std::optional<bool> compared(BinaryOperator op, const Integer& left, const Integer& right) {
  switch (op) {
    case BinaryOperator::LessEqual:
      return left <= right;
    case BinaryOperator::GreaterEqual:
      return left >= right;
    case BinaryOperator::Less:
      return left < right;
    case BinaryOperator::Greater:
      return left > right;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool equal(const Constant& left, const Constant& right) {
  if (left.value.index() != right.value.index()) return false;
  const auto* a = std::get_if<ConstantList>(&left.value);
  const auto* b = std::get_if<ConstantList>(&right.value);
  if (a == nullptr)
    return std::visit(
        [&](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, ConstantList>) {
            return false;
          } else {
            return value == std::get<Value>(right.value);
          }
        },
        left.value);
  return std::ranges::equal(a->elements, b->elements, equal);
}

Integer reduce(const Integer& value, const Type* type) {
  type = representation(type);
  if (!type->is(TypeKind::Bits)) return value;
  if (type->width == 0) return 0;
  const Integer modulus = Integer(1) << type->width;
  Integer result = value % modulus;
  if (result < 0) result += modulus;
  if (type->is_signed && boost::multiprecision::bit_test(result, type->width - 1)) result -= modulus;
  return result;
}

std::optional<Constant> apply_binary(BinaryOperator op, const Constant& left, const Constant& right,
                                     const Type* left_type, const Type* right_type) {
  if (op == BinaryOperator::Equal) return Constant{equal(left, right)};
  if (op == BinaryOperator::NotEqual) return Constant{!equal(left, right)};
  if (left.boolean() != nullptr && right.boolean() != nullptr) {
    if (op == BinaryOperator::And) return Constant{*left.boolean() && *right.boolean()};
    if (op == BinaryOperator::Or) return Constant{*left.boolean() || *right.boolean()};
    return std::nullopt;
  }
  const auto* first_text = std::get_if<std::string>(&left.value);
  const auto* second_text = std::get_if<std::string>(&right.value);
  if (first_text != nullptr && second_text != nullptr && op == BinaryOperator::Concat) {
    return Constant{*first_text + *second_text};
  }
  if (left.integer() == nullptr || right.integer() == nullptr) return std::nullopt;
  left_type = representation(left_type);
  right_type = representation(right_type);
  if (auto truth = compared(op, *left.integer(), *right.integer())) return Constant{*truth};
  if (op == BinaryOperator::Concat) {
    if (!left_type->is(TypeKind::Bits) || !right_type->is(TypeKind::Bits)) return std::nullopt;
    Integer joined = (as_unsigned(*left.integer(), left_type) << right_type->width) |
                     as_unsigned(*right.integer(), right_type);
    const Type whole{.kind = TypeKind::Bits,
                     .is_signed = left_type->is_signed,
                     .width = left_type->width + right_type->width};
    return Constant{reduce(joined, &whole)};
  }
  if ((op == BinaryOperator::AddSaturate || op == BinaryOperator::SubtractSaturate) &&
      (!left_type->is(TypeKind::Bits) || left_type->width == 0)) {
    return std::nullopt;
  }
  auto result = arithmetic(op, *left.integer(), *right.integer(), left_type);
  if (!result) return std::nullopt;
  return Constant{reduce(*result, left_type)};
}

}  // namespace perfpact::p4
