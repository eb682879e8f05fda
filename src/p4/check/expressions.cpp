#include <algorithm>

#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

// Nesting beyond this is refused; chains of operators do not count, they are walked without recursion.
constexpr unsigned kMaxDepth = 1000;

bool is_value(const ast::Declaration& declaration) {
  switch (declaration.kind) {
    case ast::NodeKind::Constant:
    case ast::NodeKind::Variable:
    case ast::NodeKind::Parameter:
    case ast::NodeKind::Instance:
    case ast::NodeKind::ValueSet:
    case ast::NodeKind::Function:
    case ast::NodeKind::Action:
    case ast::NodeKind::EnumMember:
    case ast::NodeKind::Table:
      return true;
    default:
      return false;
  }
}

}  // namespace

const Type* Checker::check_expression(const ast::Expression& expression) {
  if (const Type* known = state_.type(expression)) return known;
  if (depth_ >= kMaxDepth) {
    diagnostics_.report(diag::kNestedTooDeeply, expression.span);
    state_.set_type(expression, unknown_);
    return unknown_;
  }
  const Restore<unsigned> restore(depth_);
  ++depth_;
  const Type* type = check_node(expression);
  if (!check_extent(type, expression.span)) type = unknown_;
  state_.set_type(expression, type);
  remember_value(expression);
  return type;
}

const Type* Checker::check_node(const ast::Expression& expression) {
  using ast::NodeKind;
  switch (expression.kind) {
    case NodeKind::IntegerLiteral:
      return check_integer(*ast::cast<ast::IntegerLiteral>(&expression));
    case NodeKind::BoolLiteral:
      return bool_;
    case NodeKind::StringLiteral:
      return types_.get(TypeKind::String);
    case NodeKind::Name:
      return check_name(*ast::cast<ast::Name>(&expression));
    case NodeKind::Member:
      return check_member(*ast::cast<ast::Member>(&expression));
    case NodeKind::Index:
      return check_index(*ast::cast<ast::Index>(&expression));
    case NodeKind::Slice:
      return check_slice(*ast::cast<ast::Slice>(&expression));
    case NodeKind::PlusSlice:
      return check_plus_slice(*ast::cast<ast::PlusSlice>(&expression));
    case NodeKind::Unary:
      return check_unary(*ast::cast<ast::Unary>(&expression));
    case NodeKind::Binary:
      return check_binary_chain(*ast::cast<ast::Binary>(&expression));
    case NodeKind::Conditional:
      return check_conditional(*ast::cast<ast::Conditional>(&expression));
    case NodeKind::Cast:
      return check_cast(*ast::cast<ast::Cast>(&expression));
    case NodeKind::Call:
      return check_call(*ast::cast<ast::Call>(&expression));
    case NodeKind::ConstructorCall:
      return check_constructor_call(*ast::cast<ast::ConstructorCall>(&expression));
    case NodeKind::List:
      return check_list(*ast::cast<ast::List>(&expression));
    case NodeKind::StructLiteral:
      return check_struct_literal(*ast::cast<ast::StructLiteral>(&expression));
    case NodeKind::InvalidHeader:
      return types_.get(TypeKind::InvalidHeader);
    case NodeKind::Dots:
      return types_.get(TypeKind::Dots);
    case NodeKind::This:
      if (context_.this_type != nullptr) return context_.this_type;
      diagnostics_.report(diag::kMisplaced, expression.span, "'this'", place_name());
      return unknown_;
    case NodeKind::TypeName:
      return types_.get({.kind = TypeKind::NamedType,
                         .arguments = {resolve(*ast::cast<ast::TypeName>(&expression)->type)}});
    default:
      diagnostics_.report(diag::kNoValue, expression.span, "a keyset");
      return unknown_;
  }
}

const Type* Checker::check_integer(const ast::IntegerLiteral& literal) {
  if (!literal.width) return int_;
  if (*literal.width == 0 && literal.is_signed) {
    diagnostics_.report(diag::kBadWidth, literal.span, "the width of an int", "at least 1", "0");
    return unknown_;
  }
  return types_.bits(*literal.width, literal.is_signed);
}

const Type* Checker::check_name(const ast::Name& name) {
  const Declarations* found = find(name.name.text, name.absolute);
  if (found == nullptr) {
    auto kind = match_kinds_.find(name.name.text);
    if (kind != match_kinds_.end()) {
      state_.set_target(name, kind->second);
      return types_.get(TypeKind::MatchKind);
    }
    diagnostics_.report(diag::kUnknownName, name.span, name.name.text,
                        did_you_mean(name.name.text, visible_names(is_value)));
    return unknown_;
  }
  const ast::Declaration* declaration = found->front();
  if (!is_value(*declaration)) {
    diagnostics_.report(diag::kNoValue, name.span, fmt::format("'{}'", name.name.text));
    note_declaration(*declaration);
    return unknown_;
  }
  state_.set_target(name, declaration);
  switch (declaration->kind) {
    case ast::NodeKind::Function:
      return types_.get(TypeKind::Function);
    case ast::NodeKind::Action:
      return types_.declared(TypeKind::Action, declaration);
    case ast::NodeKind::Table:
      return types_.declared(TypeKind::Table, declaration);
    default: {
      const Type* type = state_.type(*declaration);
      return type == nullptr ? unknown_ : type;
    }
  }
}

const Type* Checker::check_index(const ast::Index& index) {
  const Type* object = check_expression(*index.object);
  const Type* position = check_expression(*index.index);
  if (object->is(TypeKind::Unknown) || position->is(TypeKind::Unknown)) return unknown_;
  const Type* number = representation(position);
  if (!number->is(TypeKind::Bits) && !number->is(TypeKind::InfInt)) {
    diagnostics_.report(diag::kBadIndex, index.index->span,
                        fmt::format("an index is a number, not '{}'", to_string(position)));
    return unknown_;
  }
  auto value = known_value(*index.index);
  const Integer* known = value ? value->integer() : nullptr;
  auto in_range = [&](std::size_t size) {
    if (known == nullptr || (*known >= 0 && *known < size)) return true;
    diagnostics_.report(diag::kBadIndex, index.index->span,
                        fmt::format("index {} is out of range: there are {} elements", known->str(), size));
    return false;
  };
  if (object->is(TypeKind::Stack)) return in_range(object->width) ? object->arguments[0] : unknown_;
  if (object->is(TypeKind::Tuple)) {
    if (known == nullptr) {
      diagnostics_.report(diag::kNotKnown, index.index->span, "the index of a tuple");
      return unknown_;
    }
    if (!in_range(object->arguments.size())) return unknown_;
    return object->arguments[static_cast<std::size_t>(*known)];
  }
  diagnostics_.report(diag::kBadIndex, index.object->span,
                      fmt::format("'{}' has no elements to index", to_string(object)));
  return unknown_;
}

const Type* Checker::check_slice(const ast::Slice& slice) {
  const Type* object = check_expression(*slice.object);
  check_expression(*slice.high);
  check_expression(*slice.low);
  auto high = constant_integer(*slice.high, "the end of a slice");
  auto low = constant_integer(*slice.low, "the end of a slice");
  if (object->is(TypeKind::Unknown) || !high || !low) return unknown_;
  const Type* number = representation(object);
  if (!number->is(TypeKind::Bits) && !number->is(TypeKind::InfInt)) {
    diagnostics_.report(diag::kBadIndex, slice.object->span,
                        fmt::format("'{}' has no bits to slice", to_string(object)));
    return unknown_;
  }
  const Integer size(number->is(TypeKind::Bits) ? number->width : 1U << 16);
  if (*low < 0 || *high < *low || *high >= size) {
    diagnostics_.report(
        diag::kBadIndex, join(slice.high->span, slice.low->span),
        fmt::format("[{}:{}] is no slice of '{}'", high->str(), low->str(), to_string(object)));
    return unknown_;
  }
  return types_.bits(static_cast<std::uint32_t>(*high - *low + 1));
}

const Type* Checker::check_plus_slice(const ast::PlusSlice& slice) {
  const Type* object = check_expression(*slice.object);
  const Type* start = check_expression(*slice.low);
  check_expression(*slice.width);
  auto width = constant_integer(*slice.width, "the width of a slice");
  if (object->is(TypeKind::Unknown) || start->is(TypeKind::Unknown) || !width) return unknown_;
  const Type* number = representation(object);
  const Type* start_number = representation(start);
  if (!number->is(TypeKind::Bits)) {
    diagnostics_.report(diag::kBadIndex, slice.object->span,
                        fmt::format("'{}' has no bits to slice", to_string(object)));
    return unknown_;
  }
  if (!start_number->is(TypeKind::InfInt) && (!start_number->is(TypeKind::Bits) || start_number->is_signed)) {
    diagnostics_.report(diag::kBadIndex, slice.low->span,
                        fmt::format("a slice cannot start at a '{}'", to_string(start)));
    return unknown_;
  }
  auto low = known_value(*slice.low);
  const Integer first = low && low->integer() != nullptr ? *low->integer() : Integer(0);
  if (*width < 1 || first < 0 || first + *width > number->width) {
    diagnostics_.report(
        diag::kBadIndex, join(slice.low->span, slice.width->span),
        fmt::format("[{} +: {}] is no slice of '{}'", first.str(), width->str(), to_string(object)));
    return unknown_;
  }
  return types_.bits(static_cast<std::uint32_t>(*width));
}

const Type* Checker::check_conditional(const ast::Conditional& conditional) {
  check_condition(*conditional.condition);
  const Type* left = check_expression(*conditional.then_value);
  const Type* right = check_expression(*conditional.else_value);
  if (left->is(TypeKind::Unknown) || right->is(TypeKind::Unknown)) return unknown_;
  if (left == right) return left;
  if (const Type* number = common_number(*conditional.then_value, left, *conditional.else_value, right))
    return number;
  const bool left_is_literal = needs_literal_fit(*conditional.then_value);
  if (left_is_literal && !needs_literal_fit(*conditional.else_value)) {
    return fit(*conditional.then_value, right) ? right : unknown_;
  }
  if (!left_is_literal || !needs_literal_fit(*conditional.else_value)) {
    return fit(*conditional.else_value, left) ? left : unknown_;
  }
  return left;  // two literals: the context fits both
}

const Type* Checker::check_cast(const ast::Cast& cast) {
  const Type* to = resolve(*cast.type);
  const Type* from = check_expression(*cast.operand);
  if (to->is(TypeKind::Unknown) || from->is(TypeKind::Unknown)) return to;
  if (from == to) return to;
  if (needs_literal_fit(*cast.operand)) return fit(*cast.operand, to) ? to : unknown_;
  if (can_cast(from, to)) {
    if (to->is(TypeKind::Bool)) {
      auto value = known_value(*cast.operand);
      if (from->is(TypeKind::InfInt) && (!value || (*value->integer() != 0 && *value->integer() != 1))) {
        diagnostics_.report(diag::kBadCast, cast.span, to_string(from), to_string(to));
        return unknown_;
      }
    }
    return to;
  }
  diagnostics_.report(diag::kBadCast, cast.span, to_string(from), to_string(to));
  return unknown_;
}

const Type* Checker::check_list(const ast::List& list) {
  std::vector<const Type*> types;
  bool is_known = true;
  for (const ast::Expression* element : list.elements) {
    types.push_back(check_expression(*element));
    if (types.back()->is(TypeKind::Unknown)) is_known = false;
    if (types.back()->is(TypeKind::Void) || types.back()->is(TypeKind::NamedType)) {
      diagnostics_.report(diag::kNoValue, element->span, fmt::format("'{}'", to_string(types.back())));
      is_known = false;
    }
  }
  return is_known ? types_.tuple(std::move(types)) : unknown_;
}

const Type* Checker::check_struct_literal(const ast::StructLiteral& literal) {
  Type record{.kind = TypeKind::Record};
  bool is_known = true;
  for (const auto& [name, value] : literal.fields) {
    const Type* type = check_expression(*value);
    if (type->is(TypeKind::Unknown)) is_known = false;
    if (std::ranges::find(record.names, name.text) != record.names.end()) {
      diagnostics_.report(diag::kDuplicateField, name.span, name.text);
      is_known = false;
    }
    record.names.push_back(name.text);
    record.arguments.push_back(type);
  }
  if (literal.has_dots) {
    record.names.emplace_back("...");
    record.arguments.push_back(types_.get(TypeKind::Dots));
  }
  return is_known ? types_.get(std::move(record)) : unknown_;
}

bool Checker::check_fit(const ast::Expression& expression, const Type* target) {
  check_expression(expression);
  return fit(expression, target);
}

void Checker::check_condition(const ast::Expression& expression) {
  const Type* type = check_expression(expression);
  if (!type->is(TypeKind::Bool) && !type->is(TypeKind::Unknown)) mismatch(expression, bool_);
}

// ---- values ----------------------------------------------------------------------------------------------

std::optional<Constant> Checker::known_value(const ast::Expression& expression) const {
  const Constant* value = program_.value_of(expression);
  if (value == nullptr) return std::nullopt;
  const Type* to = program_.cast_of(expression);
  return to == nullptr ? *value : convert(program_, *value, program_.type_of(expression), to);
}

void Checker::remember_value(const ast::Expression& expression) {
  auto value =
      fold(program_, expression, [this](const ast::Expression& operand) { return known_value(operand); });
  if (value) state_.set_value(expression, std::move(*value));
}

std::optional<Integer> Checker::constant_integer(const ast::Expression& expression, std::string_view what) {
  const Type* type = state_.type(expression);
  if (type->is(TypeKind::Unknown)) return std::nullopt;
  auto value = known_value(expression);
  if (value && value->integer() != nullptr) return *value->integer();
  const Type* number = representation(type);
  if (number->is(TypeKind::Bits) || number->is(TypeKind::InfInt)) {
    diagnostics_.report(diag::kNotKnown, expression.span, what);
  } else {
    mismatch(expression, int_);
  }
  return std::nullopt;
}

bool Checker::is_compile_time(const ast::Expression& expression) const {
  const ast::Expression* current = &expression;
  while (const auto* binary = ast::dyn_cast<ast::Binary>(current)) {
    if (!is_compile_time(*binary->right)) return false;
    current = binary->left;
  }
  const Type* type = state_.type(*current);
  if (program_.value_of(*current) != nullptr || type == nullptr || type->is(TypeKind::Unknown)) return true;
  auto all = [this](const auto& elements) {
    return std::ranges::all_of(elements, [this](const ast::Expression* e) { return is_compile_time(*e); });
  };
  switch (current->kind) {
    case ast::NodeKind::Name: {
      const ast::Declaration* target = program_.target(*current);
      if (target == nullptr) return true;
      if (const auto* parameter = ast::dyn_cast<ast::Parameter>(target)) {
        return parameter->direction == ast::Direction::None;
      }
      return !ast::isa<ast::Variable>(target);
    }
    case ast::NodeKind::Member:
      return is_compile_time(*ast::cast<ast::Member>(current)->object);
    case ast::NodeKind::Index: {
      const auto* index = ast::cast<ast::Index>(current);
      return is_compile_time(*index->object) && is_compile_time(*index->index);
    }
    case ast::NodeKind::Slice:
      return is_compile_time(*ast::cast<ast::Slice>(current)->object);
    case ast::NodeKind::PlusSlice: {
      const auto* slice = ast::cast<ast::PlusSlice>(current);
      return is_compile_time(*slice->object) && is_compile_time(*slice->low);
    }
    case ast::NodeKind::Unary:
      return is_compile_time(*ast::cast<ast::Unary>(current)->operand);
    case ast::NodeKind::Cast:
      return is_compile_time(*ast::cast<ast::Cast>(current)->operand);
    case ast::NodeKind::Conditional: {
      const auto* conditional = ast::cast<ast::Conditional>(current);
      return is_compile_time(*conditional->condition) && is_compile_time(*conditional->then_value) &&
             is_compile_time(*conditional->else_value);
    }
    case ast::NodeKind::List:
      return all(ast::cast<ast::List>(current)->elements);
    case ast::NodeKind::StructLiteral:
      return std::ranges::all_of(ast::cast<ast::StructLiteral>(current)->fields,
                                 [this](const auto& field) { return is_compile_time(*field.second); });
    case ast::NodeKind::Call: {
      const CallTarget* target = program_.call(*current);
      if (target == nullptr) return true;
      if (target->kind >= CallKind::MinSizeInBits && target->kind <= CallKind::MaxSizeInBytes) return true;
      // A function that makes an extern object, or that depends on its arguments alone.
      if (target->kind != CallKind::ExternFunction) return false;
      const bool is_pure = ast::find_annotation(target->declaration->annotations, "pure") != nullptr;
      if (!target->type->is(TypeKind::Extern) && !is_pure) return false;
      return std::ranges::all_of(target->arguments, [this](const BoundArgument& argument) {
        return argument.value == nullptr || is_compile_time(*argument.value);
      });
    }
    case ast::NodeKind::ConstructorCall:
    case ast::NodeKind::InvalidHeader:
    case ast::NodeKind::Dots:
    case ast::NodeKind::TypeName:
    case ast::NodeKind::StringLiteral:
    case ast::NodeKind::This:
      return true;
    default:
      return false;
  }
}

}  // namespace perfpact::p4
