#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

namespace {

constexpr unsigned kMaxWidth = 1U << 16;
constexpr unsigned kMaxStackSize = 1U << 20;
constexpr unsigned kMaxParts = 1U << 16;
constexpr unsigned kMaxTypeDepth = 500;

bool is_type(const ast::Declaration& declaration) {
  switch (declaration.kind) {
    case ast::NodeKind::Struct:
    case ast::NodeKind::Enum:
    case ast::NodeKind::Typedef:
    case ast::NodeKind::Newtype:
    case ast::NodeKind::TypeParameter:
    case ast::NodeKind::Extern:
    case ast::NodeKind::Parser:
    case ast::NodeKind::ParserType:
    case ast::NodeKind::Control:
    case ast::NodeKind::ControlType:
    case ast::NodeKind::Package:
      return true;
    default:
      return false;
  }
}

}  // namespace

const Checker::TypeParameters* Checker::type_parameters_of(const ast::Declaration& declaration) {
  switch (declaration.kind) {
    case ast::NodeKind::Struct:
      return &ast::cast<ast::Struct>(&declaration)->type_parameters;
    case ast::NodeKind::Extern:
      return &ast::cast<ast::Extern>(&declaration)->type_parameters;
    case ast::NodeKind::Parser:
      return &ast::cast<ast::Parser>(&declaration)->type_parameters;
    case ast::NodeKind::ParserType:
      return &ast::cast<ast::ParserType>(&declaration)->type_parameters;
    case ast::NodeKind::Control:
      return &ast::cast<ast::Control>(&declaration)->type_parameters;
    case ast::NodeKind::ControlType:
      return &ast::cast<ast::ControlType>(&declaration)->type_parameters;
    case ast::NodeKind::Package:
      return &ast::cast<ast::Package>(&declaration)->type_parameters;
    default:
      return nullptr;
  }
}

const Type* Checker::resolve(const ast::Type& type) {
  if (const Type* known = state_.type(type)) return known;
  using ast::NodeKind;
  const Type* result = unknown_;
  switch (type.kind) {
    case NodeKind::BitType:
      result = resolve_bits(*ast::cast<ast::BitType>(&type));
      break;
    case NodeKind::VarbitType:
      if (auto bits = width(*ast::cast<ast::VarbitType>(&type)->width, "the width of a varbit", 0)) {
        result = types_.varbit(*bits);
      }
      break;
    case NodeKind::InfIntType:
      result = int_;
      break;
    case NodeKind::BoolType:
      result = bool_;
      break;
    case NodeKind::ErrorType:
      if (has_errors_) {
        result = types_.get(TypeKind::Error);
      } else {
        diagnostics_.report(diag::kNoErrors, type.span);
      }
      break;
    case NodeKind::MatchKindType:
      result = types_.get(TypeKind::MatchKind);
      break;
    case NodeKind::StringType:
      result = types_.get(TypeKind::String);
      break;
    case NodeKind::VoidType:
      result = void_;
      break;
    case NodeKind::DontCareType:
      result = types_.get(TypeKind::DontCare);
      break;
    case NodeKind::NamedType:
      result = resolve_named(*ast::cast<ast::NamedType>(&type), nullptr, type.span);
      break;
    case NodeKind::SpecializedType: {
      const auto* specialized = ast::cast<ast::SpecializedType>(&type);
      result = resolve_named(*specialized->base, &specialized->arguments, type.span);
      break;
    }
    case NodeKind::ArrayType:
      result = resolve_array(*ast::cast<ast::ArrayType>(&type));
      break;
    case NodeKind::TupleType: {
      std::vector<const Type*> elements;
      for (const ast::Type* element : ast::cast<ast::TupleType>(&type)->elements) {
        elements.push_back(check_value_type(*element, "an element of a tuple"));
      }
      result = types_.tuple(std::move(elements));
      break;
    }
    case NodeKind::ListType:
      result = types_.get({.kind = TypeKind::List,
                           .arguments = {check_value_type(*ast::cast<ast::ListType>(&type)->element,
                                                          "an element of a list")}});
      break;
    default:
      break;
  }
  if (!check_extent(result, type.span)) result = unknown_;
  state_.set_type(type, result);
  return result;
}

bool Checker::check_extent(const Type* type, const Span& span) {
  const Extent extent = types_.extent(type);
  if (extent.depth > kMaxTypeDepth) {
    diagnostics_.report(diag::kNestedTooDeeply, span);
    return false;
  }
  if (extent.parts > kMaxParts) {
    diagnostics_.report(diag::kNotCheckedYet, span,
                        fmt::format("a type of more than {} fields and elements", kMaxParts));
    return false;
  }
  return true;
}

const Type* Checker::resolve_bits(const ast::BitType& type) {
  if (type.width == nullptr) return types_.bits(1, type.is_signed);
  auto bits = width(*type.width, type.is_signed ? "the width of an int" : "the width of a bit",
                    type.is_signed ? 1 : 0);
  return bits ? types_.bits(*bits, type.is_signed) : unknown_;
}

std::optional<std::uint32_t> Checker::width(const ast::Expression& expression, std::string_view what,
                                            unsigned least) {
  const Type* type = check_expression(expression);
  if (type->is(TypeKind::Unknown)) return std::nullopt;
  auto value = constant_integer(expression, what);
  if (!value) return std::nullopt;
  if (*value < least || *value > kMaxWidth) {
    diagnostics_.report(diag::kBadWidth, expression.span, what,
                        fmt::format("between {} and {}", least, kMaxWidth), value->str());
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*value);
}

const Type* Checker::resolve_array(const ast::ArrayType& type) {
  const Type* element = resolve(*type.element);
  check_expression(*type.size);
  auto size = constant_integer(*type.size, "the size of a stack");
  if (element->is(TypeKind::Unknown) || !size) return unknown_;
  switch (element->kind) {
    case TypeKind::Extern:
      diagnostics_.report(diag::kNotCheckedYet, type.span, "arrays of extern instances");
      return unknown_;
    case TypeKind::Void:
    case TypeKind::InfInt:
    case TypeKind::String:
    case TypeKind::MatchKind:
    case TypeKind::Parser:
    case TypeKind::Control:
    case TypeKind::Package:
    case TypeKind::DontCare:
      diagnostics_.report(diag::kBadType, type.element->span, "an element of a stack", to_string(element));
      return unknown_;
    default:
      break;
  }
  if (*size < 0 || *size > kMaxStackSize) {
    diagnostics_.report(diag::kBadWidth, type.size->span, "the size of a stack",
                        fmt::format("between 0 and {}", kMaxStackSize), size->str());
    return unknown_;
  }
  return types_.stack(element, static_cast<std::uint32_t>(*size));
}

const ast::Declaration* Checker::find_type(const ast::NamedType& name) {
  const Declarations* found = find(name.name.text, name.absolute);
  if (found == nullptr) {
    diagnostics_.report(diag::kUnknownType, name.span, name.name.text,
                        did_you_mean(name.name.text, visible_names(is_type)));
    return nullptr;
  }
  const ast::Declaration* declaration = found->front();
  if (!is_type(*declaration)) {
    diagnostics_.report(diag::kNotAType, name.span, name.name.text);
    note_declaration(*declaration);
    return nullptr;
  }
  if (ast::isa<ast::Extern>(declaration) && is_open(*declaration)) {
    diagnostics_.report(diag::kContainsItself, name.span, name.name.text);
    return nullptr;
  }
  state_.set_target(name, declaration);
  return declaration;
}

const Type* Checker::resolve_named(const ast::NamedType& name, const std::vector<ast::Type*>* arguments,
                                   const Span& span) {
  const ast::Declaration* declaration = find_type(name);
  std::vector<const Type*> resolved;
  if (arguments != nullptr) resolved = resolve_all(*arguments);
  if (declaration == nullptr) return unknown_;
  const TypeParameters* parameters = type_parameters_of(*declaration);
  const std::size_t expected = parameters == nullptr ? 0 : parameters->size();
  if (resolved.size() != expected) {
    diagnostics_.report(diag::kTypeArguments, span, name.name.text, expected, expected == 1 ? "" : "s",
                        resolved.empty() ? "none" : std::to_string(resolved.size()));
    note_declaration(*declaration);
    return unknown_;
  }
  if (!check_type_arguments(*declaration, resolved, span)) return unknown_;
  const Type* type = type_of_declaration(*declaration, std::move(resolved));
  return check_specialized(type, span) ? type : unknown_;
}

const Type* Checker::type_of_declaration(const ast::Declaration& declaration,
                                         std::vector<const Type*> arguments) {
  auto declared = [&](TypeKind kind) { return types_.declared(kind, &declaration, std::move(arguments)); };
  switch (declaration.kind) {
    case ast::NodeKind::Struct:
      switch (ast::cast<ast::Struct>(&declaration)->struct_kind) {
        case ast::StructKind::Struct:
          return declared(TypeKind::Struct);
        case ast::StructKind::Header:
          return declared(TypeKind::Header);
        case ast::StructKind::HeaderUnion:
          return declared(TypeKind::HeaderUnion);
      }
      return unknown_;
    case ast::NodeKind::TypeParameter:
      return declared(TypeKind::TypeVariable);
    case ast::NodeKind::Extern:
      return declared(TypeKind::Extern);
    case ast::NodeKind::Parser:
    case ast::NodeKind::ParserType:
      return declared(TypeKind::Parser);
    case ast::NodeKind::Control:
    case ast::NodeKind::ControlType:
      return declared(TypeKind::Control);
    case ast::NodeKind::Package:
      return declared(TypeKind::Package);
    default: {
      const Type* type = state_.type(declaration);  // Enum, Typedef, Newtype: set when they were checked
      return type == nullptr ? unknown_ : type;
    }
  }
}

const Type* Checker::check_value_type(const ast::Type& type, std::string_view what) {
  const Type* result = resolve(type);
  switch (result->kind) {
    case TypeKind::Void:
    case TypeKind::Extern:
    case TypeKind::Parser:
    case TypeKind::Control:
    case TypeKind::Package:
    case TypeKind::DontCare:
      diagnostics_.report(diag::kBadType, type.span, what, to_string(result));
      return unknown_;
    default:
      return result;
  }
}

std::vector<const Type*> Checker::resolve_all(const std::vector<ast::Type*>& types) {
  std::vector<const Type*> result;
  for (const ast::Type* type : types) result.push_back(resolve(*type));
  return result;
}

}  // namespace perfpact::p4
