#include "p4/core/value.h"

namespace perfpact::p4::core {

const Value* find_field(const Value& value, std::string_view name) {
  if (value.type->is(TypeKind::Record)) {
    for (std::size_t i = 0; i < value.parts.size(); ++i)
      if (value.type->names[i] == name) return &value.parts[i];
    return nullptr;
  }
  const auto* declaration = ast::dyn_cast_or_null<ast::Struct>(value.type->declaration);
  if (declaration == nullptr) return nullptr;
  for (std::size_t i = 0; i < declaration->fields.size(); ++i)
    if (declaration->fields[i]->name.text == name) return &value.parts.at(i);
  return nullptr;
}

std::uint32_t scalar_width(const Type* type) {
  type = representation(type);
  switch (type->kind) {
    case TypeKind::Bits:
    case TypeKind::Varbit:
      return type->width;
    case TypeKind::Bool:
      return 1;
    case TypeKind::Error:
    case TypeKind::Enum:
      return 32;
    default:
      return 0;
  }
}

bool is_signed(const Type* type) {
  type = representation(type);
  return type->kind == TypeKind::Bits && type->is_signed;
}

std::uint32_t data_bits(TypeTable& types, const Type* type) {
  type = representation(type);
  std::uint32_t sum = 0;
  switch (type->kind) {
    case TypeKind::Struct:
    case TypeKind::Header:
    case TypeKind::HeaderUnion:
      for (const FieldType& field : types.fields(type)) sum += data_bits(types, field.type);
      return sum;
    case TypeKind::Stack:
      return type->width * data_bits(types, type->arguments.at(0));
    case TypeKind::Tuple:
    case TypeKind::Record:
      for (const Type* element : type->arguments) sum += data_bits(types, element);
      return sum;
    default:
      return scalar_width(type);
  }
}

}  // namespace perfpact::p4::core
