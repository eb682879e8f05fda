#include <algorithm>

#include "p4/check/checker.h"

namespace perfpact::p4 {

using ast::BinaryOperator;

const Type* Checker::check_binary_chain(const ast::Binary& binary) {
  std::vector<const ast::Binary*> chain;
  const ast::Expression* first = &binary;
  while (const auto* next = ast::dyn_cast<ast::Binary>(first)) {
    if (state_.type(*next) != nullptr) break;
    chain.push_back(next);
    first = next->left;
  }
  const Type* left = check_expression(*first);
  for (auto next = chain.rbegin(); next != chain.rend(); ++next) {
    const Type* right = check_expression(*(*next)->right);
    const bool is_wrong = left->is(TypeKind::Unknown) || right->is(TypeKind::Unknown);
    left = is_wrong ? unknown_ : finish_binary(**next, left, right);
    state_.set_type(**next, left);
    remember_value(**next);
  }
  return left;
}

const Type* Checker::finish_binary(const ast::Binary& binary, const Type* left, const Type* right) {
  switch (binary.op) {
    case BinaryOperator::And:
    case BinaryOperator::Or:
      return left->is(TypeKind::Bool) && right->is(TypeKind::Bool) ? bool_
                                                                   : bad_operands(binary, left, right);
    case BinaryOperator::Equal:
    case BinaryOperator::NotEqual:
      return finish_equality(binary, left, right);
    case BinaryOperator::ShiftLeft:
    case BinaryOperator::ShiftRight:
      return finish_shift(binary, left, right);
    case BinaryOperator::Concat:
      return finish_concat(binary, left, right);
    case BinaryOperator::Less:
    case BinaryOperator::LessEqual:
    case BinaryOperator::Greater:
    case BinaryOperator::GreaterEqual:
      return common_number(*binary.left, left, *binary.right, right) != nullptr
                 ? bool_
                 : bad_operands(binary, left, right);
    default:
      return finish_arithmetic(binary, left, right);
  }
}

const Type* Checker::bad_operands(const ast::Binary& binary, const Type* left, const Type* right) {
  diagnostics_.report(diag::kBadOperands,
                      binary.operator_span.is_known() ? binary.operator_span : binary.span,
                      ast::spelling(binary.op), to_string(left), to_string(right));
  return unknown_;
}

const Type* Checker::as_number(const ast::Expression& operand, const Type* type) {
  if (type->is(TypeKind::Bits) || type->is(TypeKind::InfInt)) return type;
  if (!type->is(TypeKind::SerializableEnum)) return nullptr;
  const Type* number = representation(type);
  if (!number->is(TypeKind::Bits)) return nullptr;
  state_.set_cast(operand, number);
  return number;
}

const Type* Checker::common_number(const ast::Expression& left_operand, const Type* left,
                                   const ast::Expression& right_operand, const Type* right) {
  // A constant int takes on a new type of numbers as it takes on bit<w>.
  auto is_number_newtype = [](const Type* type) {
    return type->is(TypeKind::Newtype) && representation(type)->is(TypeKind::Bits);
  };
  if (left->is(TypeKind::InfInt) && is_number_newtype(right))
    return fit(left_operand, right) ? right : unknown_;
  if (right->is(TypeKind::InfInt) && is_number_newtype(left))
    return fit(right_operand, left) ? left : unknown_;
  left = as_number(left_operand, left);
  right = as_number(right_operand, right);
  if (left == nullptr || right == nullptr) return nullptr;
  if (left == right) return left;
  if (left->is(TypeKind::InfInt)) return fit(left_operand, right) ? right : unknown_;
  if (right->is(TypeKind::InfInt)) return fit(right_operand, left) ? left : unknown_;
  return nullptr;
}

const Type* Checker::finish_arithmetic(const ast::Binary& binary, const Type* left, const Type* right) {
  const Constant* written = program_.value_of(*binary.right);
  const bool is_negative_divisor =
      right->is(TypeKind::InfInt) && written != nullptr && *written->integer() < 0 &&
      (binary.op == BinaryOperator::Divide || binary.op == BinaryOperator::Modulo);
  if (is_negative_divisor) {
    diagnostics_.report(diag::kDivision, binary.right->span, "division is not defined for negative numbers");
    return unknown_;
  }
  const Type* type = common_number(*binary.left, left, *binary.right, right);
  if (type == nullptr || type->is(TypeKind::Newtype)) return bad_operands(binary, left, right);
  if (type->is(TypeKind::Unknown)) return unknown_;
  switch (binary.op) {
    case BinaryOperator::AddSaturate:
    case BinaryOperator::SubtractSaturate:
      if (!type->is(TypeKind::Bits)) return bad_operands(binary, left, right);
      break;
    case BinaryOperator::Divide:
    case BinaryOperator::Modulo:
      if (type->is_signed) return bad_operands(binary, left, right);
      check_divisor(binary, type);
      break;
    default:
      break;
  }
  return type;
}

void Checker::check_divisor(const ast::Binary& binary, const Type* type) {
  auto divisor = known_value(*binary.right);
  if (divisor && divisor->integer() != nullptr && *divisor->integer() == 0) {
    diagnostics_.report(diag::kDivision, binary.right->span, "division by zero");
  } else if (type->is(TypeKind::InfInt)) {
    auto dividend = known_value(*binary.left);
    auto is_negative = [](const auto& value) {
      return value && value->integer() != nullptr && *value->integer() < 0;
    };
    if (is_negative(dividend) || is_negative(divisor)) {
      diagnostics_.report(diag::kDivision, binary.span, "division is not defined for negative numbers");
    }
  }
}

const Type* Checker::finish_shift(const ast::Binary& binary, const Type* left, const Type* right) {
  const Type* value = as_number(*binary.left, left);
  const Type* amount = as_number(*binary.right, right);
  auto known = known_value(*binary.right);
  const bool is_signed = amount != nullptr && amount->is(TypeKind::Bits) && amount->is_signed;
  if (value == nullptr || amount == nullptr || (is_signed && !known))
    return bad_operands(binary, left, right);
  if (known && known->integer() != nullptr) {
    if (*known->integer() < 0) {
      diagnostics_.report(diag::kBadOperand, binary.right->span, ast::spelling(binary.op),
                          "a negative amount");
      return unknown_;
    }
    if (value->is(TypeKind::Bits) && *known->integer() >= value->width) {
      diagnostics_.report(diag::kShiftTooFar, binary.right->span, to_string(value), known->integer()->str());
    }
    auto shifted = known_value(*binary.left);
    if (shifted && !apply_binary(binary.op, *shifted, *known, value, amount)) {
      diagnostics_.report(diag::kBadOperand, binary.right->span, ast::spelling(binary.op),
                          "an amount this large");
      return unknown_;
    }
  } else if (value->is(TypeKind::InfInt) && !is_compile_time(*binary.right)) {
    diagnostics_.report(diag::kNoWidth, binary.left->span, "the value that is shifted");
    return unknown_;
  }
  return value;
}

const Type* Checker::finish_concat(const ast::Binary& binary, const Type* left, const Type* right) {
  if (left->is(TypeKind::String) && right->is(TypeKind::String)) return left;
  const Type* high = as_number(*binary.left, left);
  const Type* low = as_number(*binary.right, right);
  if (high == nullptr || low == nullptr) return bad_operands(binary, left, right);
  for (const auto& [type, operand] : {std::pair{high, binary.left}, std::pair{low, binary.right}}) {
    if (!type->is(TypeKind::InfInt)) continue;
    diagnostics_.report(diag::kNoWidth, operand->span, "an operand of '++'");
    return unknown_;
  }
  constexpr std::uint32_t kMaxWidth = 1U << 16;
  if (high->width + low->width > kMaxWidth) {
    diagnostics_.report(diag::kBadWidth, binary.span, "the width of a result",
                        fmt::format("at most {}", kMaxWidth), std::to_string(high->width + low->width));
    return unknown_;
  }
  return types_.bits(high->width + low->width, high->is_signed);
}

bool Checker::is_comparable(const Type* type) {
  switch (type->kind) {
    case TypeKind::Bool:
    case TypeKind::InfInt:
    case TypeKind::Bits:
    case TypeKind::Varbit:
    case TypeKind::Error:
    case TypeKind::Enum:
    case TypeKind::SerializableEnum:
    case TypeKind::Newtype:
    case TypeKind::TypeVariable:
    case TypeKind::MatchKind:
    case TypeKind::String:
    case TypeKind::Header:
    case TypeKind::HeaderUnion:
    case TypeKind::Struct:
    case TypeKind::Stack:
    case TypeKind::Unknown:
      return true;
    case TypeKind::Tuple:
    case TypeKind::List:
    case TypeKind::Record:
      return std::ranges::all_of(type->arguments, is_comparable);
    default:
      return false;
  }
}

const Type* Checker::finish_equality(const ast::Binary& binary, const Type* left, const Type* right) {
  const bool left_is_literal = needs_literal_fit(*binary.left);
  const bool right_is_literal = needs_literal_fit(*binary.right);
  if (left_is_literal && right_is_literal) {
    if (left->is(TypeKind::Tuple) && left == right) return bool_;
    return bad_operands(binary, left, right);
  }
  if (left_is_literal) return is_comparable(right) && fit(*binary.left, right) ? bool_ : unknown_;
  if (right_is_literal) return is_comparable(left) && fit(*binary.right, left) ? bool_ : unknown_;
  if (left == right && left->is(TypeKind::TypeVariable)) return bad_operands(binary, left, right);
  if (left == right) return is_comparable(left) ? bool_ : bad_operands(binary, left, right);
  return common_number(*binary.left, left, *binary.right, right) != nullptr
             ? bool_
             : bad_operands(binary, left, right);
}

const Type* Checker::check_unary(const ast::Unary& unary) {
  const Type* type = check_expression(*unary.operand);
  if (type->is(TypeKind::Unknown)) return unknown_;
  if (unary.op == ast::UnaryOperator::Not) {
    if (type->is(TypeKind::Bool)) return bool_;
  } else if (const Type* number = as_number(*unary.operand, type)) {
    if (number->is(TypeKind::Bits)) return number;
    if (unary.op != ast::UnaryOperator::Complement) return number;
    diagnostics_.report(diag::kNoWidth, unary.operand->span, "the operand of '~'");
    return unknown_;
  }
  diagnostics_.report(diag::kBadOperand, unary.span, ast::spelling(unary.op), to_string(type));
  return unknown_;
}

}  // namespace perfpact::p4
