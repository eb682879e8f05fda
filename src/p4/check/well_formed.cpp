// What may stand in structs, headers and unions, and what generic types may be used with (specification,
// sections 7.2 and 7.2.11).
#include <algorithm>

#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

bool contains(const Type* type, const ast::Declaration* declaration) {
  return type->declaration == declaration ||
         std::ranges::any_of(type->arguments, [&](const Type* t) { return contains(t, declaration); });
}

}  // namespace

bool Checker::fits_in_header(const Type* type) {
  const Type* below = representation(type);
  switch (below->kind) {
    case TypeKind::Unknown:
    case TypeKind::TypeVariable:
    case TypeKind::Bits:
    case TypeKind::Varbit:
    case TypeKind::Bool:
      return true;
    case TypeKind::Stack:
      return fits_in_header(below->arguments[0]);
    case TypeKind::Struct:
      return std::ranges::all_of(types_.fields(below),
                                 [&](const FieldType& f) { return fits_in_header(f.type); });
    default:
      return false;
  }
}

void Checker::check_field_type(const ast::Struct& declaration, const ast::Field& field, const Type* type) {
  if (type->is(TypeKind::Unknown) || type->is(TypeKind::TypeVariable)) return;
  const Type* below = representation(type);
  bool is_allowed = true;
  std::string_view what = "a field of a struct";
  switch (declaration.struct_kind) {
    case ast::StructKind::Struct:
      is_allowed =
          !below->is(TypeKind::InfInt) && !below->is(TypeKind::MatchKind) && !below->is(TypeKind::String);
      break;
    case ast::StructKind::Header:
      what = "a field of a header";
      is_allowed = fits_in_header(type);
      break;
    case ast::StructKind::HeaderUnion:
      what = "a field of a header_union";
      is_allowed = type->is(TypeKind::Header);
      break;
  }
  if (!is_allowed) diagnostics_.report(diag::kBadType, field.type->span, what, to_string(type));
}

bool Checker::check_varbits(const Type* header, const Span& extraction) {
  const ast::Field* first = nullptr;
  for (const FieldType& field : types_.fields(header)) {
    if (!field.type->is(TypeKind::Varbit)) continue;
    if (first != nullptr) {
      diagnostics_.report(
          diag::kBadDeclaration, field.field->name.span,
          fmt::format("'{}' has a second varbit field, so it cannot be extracted", to_string(header)));
      diagnostics_.note(first->name.span, "the first one");
      diagnostics_.note(extraction, "extracted here");
      return false;
    }
    first = field.field;
  }
  return true;
}

bool Checker::check_type_arguments(const ast::Declaration& declaration,
                                   const std::vector<const Type*>& arguments, const Span& span) {
  for (const Type* argument : arguments) {
    if (argument->is(TypeKind::Parser) || argument->is(TypeKind::Control) ||
        argument->is(TypeKind::Package)) {
      diagnostics_.report(diag::kBadType, span, "a type argument", to_string(argument));
      return false;
    }
    if (contains(argument, &declaration)) {
      diagnostics_.report(diag::kContainsItself, span, declaration.name.text);
      note_declaration(declaration);
      return false;
    }
  }
  return true;
}

bool Checker::check_specialized(const Type* type, const Span& span) {
  const auto* declaration = ast::dyn_cast_or_null<ast::Struct>(type->declaration);
  if (declaration == nullptr || type->arguments.empty() || !specialized_.insert(type).second) return true;
  const std::size_t before = diagnostics_.error_count();
  for (const FieldType& field : types_.fields(type)) {
    if (field.type != state_.type(*field.field)) check_field_type(*declaration, *field.field, field.type);
  }
  if (diagnostics_.error_count() == before) return true;
  diagnostics_.note(span, fmt::format("where '{}' is used", to_string(type)));
  return false;
}

}  // namespace perfpact::p4
