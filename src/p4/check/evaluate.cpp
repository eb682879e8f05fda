#include "p4/check/evaluate.h"

#include <algorithm>

namespace perfpact::p4 {

namespace {

using Value = std::optional<Constant>;

constexpr std::uint32_t kMaxSliceEnd = 1U << 20;

Value list_converted(const TypedProgram& program, const ConstantList& list, const Type* from,
                     const Type* to) {
  std::vector<FieldType> fields = program.types().fields(to);
  ConstantList result;
  if (from->is(TypeKind::Record)) {
    for (const FieldType& field : fields) {
      auto found = std::ranges::find(from->names, field.field->name.text);
      const auto index = static_cast<std::size_t>(found - from->names.begin());
      if (found == from->names.end() || index >= list.elements.size()) return std::nullopt;
      result.elements.push_back(list.elements[index]);
    }
    return Constant{std::move(result)};
  }
  return Constant{list};
}

/// Folds the operators of one expression; the type of an operand is its final type.
class Folder {
 public:
  Folder(const TypedProgram& program, const OperandValues& operand, const EvaluationContext& context)
      : program_(program), operand_(operand), context_(context) {}

  Value fold(const ast::Expression& expression) const {
    using ast::NodeKind;
    switch (expression.kind) {
      case NodeKind::IntegerLiteral:
        return Constant{reduce(ast::cast<ast::IntegerLiteral>(&expression)->value, own_type(expression))};
      case NodeKind::BoolLiteral:
        return Constant{ast::cast<ast::BoolLiteral>(&expression)->value};
      case NodeKind::StringLiteral:
        return Constant{ast::cast<ast::StringLiteral>(&expression)->value};
      case NodeKind::Name:
        return name(*ast::cast<ast::Name>(&expression));
      case NodeKind::Member:
        return member(*ast::cast<ast::Member>(&expression));
      case NodeKind::Index:
        return index(*ast::cast<ast::Index>(&expression));
      case NodeKind::Slice:
        return slice(*ast::cast<ast::Slice>(&expression));
      case NodeKind::PlusSlice:
        return plus_slice(*ast::cast<ast::PlusSlice>(&expression));
      case NodeKind::Unary:
        return unary(*ast::cast<ast::Unary>(&expression));
      case NodeKind::Binary:
        return binary(*ast::cast<ast::Binary>(&expression));
      case NodeKind::Conditional:
        return conditional(*ast::cast<ast::Conditional>(&expression));
      case NodeKind::Cast:
        return explicit_cast(*ast::cast<ast::Cast>(&expression));
      case NodeKind::Call:
        return size_method(*ast::cast<ast::Call>(&expression));
      case NodeKind::List:
        return list(ast::cast<ast::List>(&expression)->elements);
      case NodeKind::StructLiteral:
        return struct_literal(*ast::cast<ast::StructLiteral>(&expression));
      default:
        return std::nullopt;
    }
  }

 private:
  const Type* put_in(const Type* type) const {
    return context_.substitution == nullptr ? type
                                            : program_.types().substitute(type, *context_.substitution);
  }
  const Type* own_type(const ast::Expression& expression) const {
    return put_in(program_.type_of(expression));
  }
  const Type* final_type(const ast::Expression& expression) const {
    return put_in(program_.final_type_of(expression));
  }

  Value name(const ast::Name& name) const {
    const ast::Declaration* target = program_.target(name);
    if (target == nullptr) return std::nullopt;
    if (const Constant* value = program_.value_of(*target)) return *value;
    if (context_.lookup) {
      if (const Constant* value = context_.lookup(*target)) return *value;
    }
    return std::nullopt;
  }

  Value member(const ast::Member& member) const {
    const ast::Declaration* target = program_.target(member);
    if (const auto* enum_member = ast::dyn_cast_or_null<ast::EnumMember>(target)) {
      if (const Constant* value = program_.value_of(*enum_member)) return *value;
      return Constant{enum_member};
    }
    if (const auto* field = ast::dyn_cast_or_null<ast::Field>(target)) {
      Value object = operand_(*member.object);
      const auto* list = object ? std::get_if<ConstantList>(&object->value) : nullptr;
      if (list == nullptr) return std::nullopt;
      std::vector<FieldType> fields = program_.types().fields(final_type(*member.object));
      for (std::size_t i = 0; i < std::min(fields.size(), list->elements.size()); ++i) {
        if (fields[i].field == field) return list->elements[i];
      }
      return std::nullopt;
    }
    const Type* object_type = final_type(*member.object);
    if (object_type->is(TypeKind::Stack) && member.member.text == "size") {
      return Constant{Integer(object_type->width)};
    }
    return std::nullopt;
  }

  Value index(const ast::Index& index) const {
    Value object = operand_(*index.object);
    Value position = operand_(*index.index);
    if (!object || !position || position->integer() == nullptr) return std::nullopt;
    const auto* list = std::get_if<ConstantList>(&object->value);
    if (list == nullptr || *position->integer() < 0 || *position->integer() >= list->elements.size()) {
      return std::nullopt;
    }
    return list->elements[static_cast<std::size_t>(*position->integer())];
  }

  Value bits_of(const ast::Expression& object, const Integer& low, const Integer& width) const {
    Value value = operand_(object);
    if (!value || value->integer() == nullptr || low < 0 || width < 1) return std::nullopt;
    const Type* type = representation(final_type(object));
    const bool is_int = type->is(TypeKind::InfInt);
    if (!is_int && (!type->is(TypeKind::Bits) || low + width > type->width)) return std::nullopt;
    if (low + width > kMaxSliceEnd) return std::nullopt;
    const Type whole{.kind = TypeKind::Bits, .width = static_cast<std::uint32_t>(low + width)};
    const Type part{.kind = TypeKind::Bits, .width = static_cast<std::uint32_t>(width)};
    return Constant{reduce(reduce(*value->integer(), &whole) >> static_cast<unsigned>(low), &part)};
  }

  Value slice(const ast::Slice& slice) const {
    Value high = operand_(*slice.high);
    Value low = operand_(*slice.low);
    if (!high || !low || high->integer() == nullptr || low->integer() == nullptr) return std::nullopt;
    return bits_of(*slice.object, *low->integer(), *high->integer() - *low->integer() + 1);
  }

  Value plus_slice(const ast::PlusSlice& slice) const {
    Value low = operand_(*slice.low);
    Value width = operand_(*slice.width);
    if (!low || !width || low->integer() == nullptr || width->integer() == nullptr) return std::nullopt;
    return bits_of(*slice.object, *low->integer(), *width->integer());
  }

  Value unary(const ast::Unary& unary) const {
    Value value = operand_(*unary.operand);
    if (!value) return std::nullopt;
    if (unary.op == ast::UnaryOperator::Not) {
      if (value->boolean() == nullptr) return std::nullopt;
      return Constant{!*value->boolean()};
    }
    if (value->integer() == nullptr) return std::nullopt;
    const Type* type = final_type(*unary.operand);
    switch (unary.op) {
      case ast::UnaryOperator::Complement:
        return Constant{reduce(-*value->integer() - 1, type)};
      case ast::UnaryOperator::Negate:
        return Constant{reduce(-*value->integer(), type)};
      default:
        return value;
    }
  }

  Value binary(const ast::Binary& binary) const {
    Value left = operand_(*binary.left);
    if (!left) return std::nullopt;
    if (binary.op == ast::BinaryOperator::And && left->boolean() != nullptr && !*left->boolean()) return left;
    if (binary.op == ast::BinaryOperator::Or && left->boolean() != nullptr && *left->boolean()) return left;
    Value right = operand_(*binary.right);
    if (!right) return std::nullopt;
    return apply_binary(binary.op, *left, *right, final_type(*binary.left), final_type(*binary.right));
  }

  Value conditional(const ast::Conditional& conditional) const {
    Value condition = operand_(*conditional.condition);
    if (!condition || condition->boolean() == nullptr) return std::nullopt;
    return operand_(*condition->boolean() ? *conditional.then_value : *conditional.else_value);
  }

  Value explicit_cast(const ast::Cast& cast) const {
    Value value = operand_(*cast.operand);
    if (!value) return std::nullopt;
    return convert(program_, *value, final_type(*cast.operand), own_type(cast));
  }

  Value size_method(const ast::Call& call) const {
    const CallTarget* target = program_.call(call);
    if (target == nullptr || target->receiver == nullptr) return std::nullopt;
    if (target->kind < CallKind::MinSizeInBits || target->kind > CallKind::MaxSizeInBytes)
      return std::nullopt;
    const Type* type = final_type(*target->receiver);
    if (type->is(TypeKind::NamedType)) type = type->arguments[0];
    auto size = size_in_bits(program_.types(), type);
    if (!size) return std::nullopt;
    switch (target->kind) {
      case CallKind::MinSizeInBits:
        return Constant{size->least};
      case CallKind::MinSizeInBytes:
        return Constant{Integer((size->least + 7) / 8)};
      case CallKind::MaxSizeInBits:
        return Constant{size->most};
      default:
        return Constant{Integer((size->most + 7) / 8)};
    }
  }

  Value list(const std::vector<ast::Expression*>& elements) const {
    ConstantList result;
    for (const ast::Expression* element : elements) {
      Value value = operand_(*element);
      if (!value) return std::nullopt;
      result.elements.push_back(std::move(*value));
    }
    return Constant{std::move(result)};
  }

  Value struct_literal(const ast::StructLiteral& literal) const {
    if (literal.has_dots) return std::nullopt;
    std::vector<ast::Expression*> elements;
    for (const auto& [name, value] : literal.fields) elements.push_back(value);
    return list(elements);
  }

  const TypedProgram& program_;
  const OperandValues& operand_;
  const EvaluationContext& context_;
};

/// Walks down to what is known; chains of operators without recursion.
class Evaluator {
 public:
  Evaluator(const TypedProgram& program, const EvaluationContext& context)
      : program_(program), context_(context) {}

  Value final_value(const ast::Expression& expression) const {
    return with_cast(expression, own_value(expression));
  }

 private:
  Value with_cast(const ast::Expression& expression, Value value) const {
    const Type* to = program_.cast_of(expression);
    if (!value || to == nullptr) return value;
    const Type* from = program_.type_of(expression);
    if (context_.substitution != nullptr) {
      to = program_.types().substitute(to, *context_.substitution);
      from = program_.types().substitute(from, *context_.substitution);
    }
    return convert(program_, *value, from, to);
  }

  Value own_value(const ast::Expression& expression) const {
    std::vector<const ast::Binary*> chain;
    const ast::Expression* first = &expression;
    while (program_.value_of(*first) == nullptr) {
      const auto* binary = ast::dyn_cast<ast::Binary>(first);
      if (binary == nullptr) break;
      chain.push_back(binary);
      first = binary->left;
    }
    Value value;
    if (const Constant* known = program_.value_of(*first)) {
      value = *known;
    } else {
      value = fold(program_, *first, [this](const ast::Expression& e) { return final_value(e); }, context_);
    }
    for (auto binary = chain.rbegin(); binary != chain.rend(); ++binary) {
      const ast::Expression* left = (*binary)->left;
      const Value left_value = with_cast(*left, std::move(value));
      value = fold(
          program_, **binary,
          [&](const ast::Expression& e) { return &e == left ? left_value : final_value(e); }, context_);
    }
    return value;
  }

  const TypedProgram& program_;
  const EvaluationContext& context_;
};

}  // namespace

std::optional<Constant> convert(const TypedProgram& program, const Constant& value, const Type* from,
                                const Type* to) {
  if (from == to || to == nullptr) return value;
  const Type* target = representation(to);
  if (const Integer* integer = value.integer()) {
    if (target->is(TypeKind::Bits)) return Constant{reduce(*integer, target)};
    if (target->is(TypeKind::Bool)) {
      if (*integer != 0 && *integer != 1) return std::nullopt;
      return Constant{*integer == 1};
    }
    return value;
  }
  if (const bool* truth = value.boolean()) {
    if (target->is(TypeKind::Bits)) return Constant{reduce(Integer(*truth ? 1 : 0), target)};
    return value;
  }
  if (const auto* list = std::get_if<ConstantList>(&value.value))
    return list_converted(program, *list, from, to);
  return value;
}

std::optional<Constant> fold(const TypedProgram& program, const ast::Expression& expression,
                             const OperandValues& operand, const EvaluationContext& context) {
  return Folder(program, operand, context).fold(expression);
}

std::optional<Constant> evaluate(const TypedProgram& program, const ast::Expression& expression,
                                 const EvaluationContext& context) {
  return Evaluator(program, context).final_value(expression);
}

}  // namespace perfpact::p4
