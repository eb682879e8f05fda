// What may be written (specification, section 6.6).
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

std::optional<std::string> why_name_not_assignable(const ast::Declaration& declaration) {
  const std::string& name = declaration.name.text;
  if (ast::isa<ast::Variable>(&declaration)) return std::nullopt;
  if (ast::isa<ast::Constant>(&declaration)) return fmt::format("constant '{}' cannot be written", name);
  if (const auto* parameter = ast::dyn_cast<ast::Parameter>(&declaration)) {
    switch (parameter->direction) {
      case ast::Direction::Out:
      case ast::Direction::InOut:
        return std::nullopt;
      case ast::Direction::In:
        return fmt::format("parameter '{}' is 'in' and cannot be written", name);
      case ast::Direction::None:
        return fmt::format("parameter '{}' has no direction and cannot be written", name);
    }
  }
  return fmt::format("'{}' cannot be written", name);
}

}  // namespace

std::optional<std::string> Checker::why_not_assignable(const ast::Expression& expression) const {
  const ast::Expression* current = &expression;
  while (true) {
    const Type* type = state_.type(*current);
    if (type == nullptr || type->is(TypeKind::Unknown)) return std::nullopt;
    switch (current->kind) {
      case ast::NodeKind::Name: {
        const ast::Declaration* target = program_.target(*current);
        return target == nullptr ? std::nullopt : why_name_not_assignable(*target);
      }
      case ast::NodeKind::Member: {
        const auto* member = ast::cast<ast::Member>(current);
        const Type* object = state_.type(*member->object);
        const std::string& name = member->member.text;
        const bool is_element = object->is(TypeKind::Stack) && (name == "next" || name == "last");
        const bool is_field =
            ast::isa<ast::Field>(program_.target(*member) == nullptr ? static_cast<const ast::Node*>(member)
                                                                     : program_.target(*member));
        if (!is_element && !is_field) return fmt::format("'{}' cannot be written", name);
        current = member->object;
        break;
      }
      case ast::NodeKind::Index:
        current = ast::cast<ast::Index>(current)->object;
        break;
      case ast::NodeKind::Slice:
        current = ast::cast<ast::Slice>(current)->object;
        break;
      case ast::NodeKind::PlusSlice:
        current = ast::cast<ast::PlusSlice>(current)->object;
        break;
      default:
        return "only variables, fields, elements and slices can be written";
    }
  }
}

bool Checker::require_assignable(const ast::Expression& expression) {
  auto why = why_not_assignable(expression);
  if (!why) return true;
  diagnostics_.report(diag::kNotAssignable, expression.span, *why);
  const ast::Declaration* target = program_.target(expression);
  if (target != nullptr && ast::isa<ast::Name>(&expression)) note_declaration(*target);
  return false;
}

}  // namespace perfpact::p4
