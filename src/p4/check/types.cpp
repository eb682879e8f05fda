#include "p4/check/types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfpact::p4 {

namespace {

struct TypeHash {
  static void mix(std::size_t& seed, std::size_t value) {
    seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
  }
  std::size_t operator()(const Type& type) const {
    std::size_t seed = static_cast<std::size_t>(type.kind) * 2 + (type.is_signed ? 1 : 0);
    mix(seed, type.width);
    mix(seed, std::hash<const void*>{}(type.declaration));
    for (const Type* argument : type.arguments) mix(seed, std::hash<const void*>{}(argument));
    for (const std::string& name : type.names) mix(seed, std::hash<std::string>{}(name));
    return seed;
  }
};

struct TypeEqual {
  bool operator()(const Type& a, const Type& b) const {
    return a.kind == b.kind && a.is_signed == b.is_signed && a.width == b.width &&
           a.declaration == b.declaration && a.arguments == b.arguments && a.names == b.names;
  }
};

const std::vector<ast::TypeParameter*>* type_parameters_of(const ast::Declaration* declaration) {
  if (const auto* d = ast::dyn_cast<ast::Struct>(declaration)) return &d->type_parameters;
  return nullptr;
}

}  // namespace

struct TypeTable::State {
  std::deque<Type> types;
  std::unordered_map<Type, const Type*, TypeHash, TypeEqual> interned;
  std::unordered_map<const ast::Struct*, std::vector<FieldType>> fields;
  std::unordered_map<const Type*, Extent> extents;
};

TypeTable::TypeTable() : state_(std::make_unique<State>()) {}
TypeTable::~TypeTable() = default;

const Type* TypeTable::get(Type type) {
  auto found = state_->interned.find(type);
  if (found != state_->interned.end()) return found->second;
  const Type* stored = &state_->types.emplace_back(type);
  state_->interned.emplace(std::move(type), stored);
  return stored;
}

const Type* TypeTable::bits(std::uint32_t width, bool is_signed) {
  return get({.kind = TypeKind::Bits, .is_signed = is_signed, .width = width});
}

const Type* TypeTable::varbit(std::uint32_t max_width) {
  return get({.kind = TypeKind::Varbit, .width = max_width});
}

const Type* TypeTable::stack(const Type* element, std::uint32_t size) {
  return get({.kind = TypeKind::Stack, .width = size, .arguments = {element}});
}

const Type* TypeTable::tuple(std::vector<const Type*> elements) {
  return get({.kind = TypeKind::Tuple, .arguments = std::move(elements)});
}

const Type* TypeTable::declared(TypeKind kind, const ast::Declaration* declaration,
                                std::vector<const Type*> arguments) {
  return get({.kind = kind, .declaration = declaration, .arguments = std::move(arguments)});
}

const Type* TypeTable::substitute(const Type* type, const Substitution& substitution) {
  if (type == nullptr || substitution.empty()) return type;
  if (type->is(TypeKind::TypeVariable)) {
    auto found = substitution.find(ast::cast<ast::TypeParameter>(type->declaration));
    return found == substitution.end() || found->second == nullptr ? type : found->second;
  }
  if (type->arguments.empty()) return type;
  Type changed = *type;
  for (const Type*& argument : changed.arguments) argument = substitute(argument, substitution);
  if (changed.arguments == type->arguments) return type;
  return get(std::move(changed));
}

std::vector<FieldType> TypeTable::fields(const Type* type) {
  const auto* declaration = ast::dyn_cast_or_null<ast::Struct>(type->declaration);
  if (declaration == nullptr) return {};
  auto found = state_->fields.find(declaration);
  if (found == state_->fields.end()) return {};
  std::vector<FieldType> result = found->second;
  if (type->arguments.empty()) return result;
  Substitution substitution;
  const auto* parameters = type_parameters_of(declaration);
  for (std::size_t i = 0; i < std::min(parameters->size(), type->arguments.size()); ++i) {
    substitution[(*parameters)[i]] = type->arguments[i];
  }
  for (FieldType& field : result) field.type = substitute(field.type, substitution);
  return result;
}

void TypeTable::set_declared_fields(const ast::Struct* declaration, std::vector<FieldType> fields) {
  state_->fields[declaration] = std::move(fields);
}

Extent TypeTable::extent(const Type* type) {
  if (auto known = state_->extents.find(type); known != state_->extents.end()) return known->second;
  constexpr std::uint64_t kCap = std::uint64_t{1} << 32;
  Extent result;
  const auto add = [&](const Type* part) {
    const Extent inner = extent(part);
    result.parts = std::min(kCap, result.parts + inner.parts);
    result.depth = std::max(result.depth, inner.depth + 1);
  };
  for (const Type* argument : type->arguments) add(argument);
  for (const FieldType& field : fields(type)) add(field.type);
  if (type->is(TypeKind::Stack)) result.parts = std::min(kCap, result.parts * std::max(type->width, 1U));
  return state_->extents[type] = result;
}

namespace {

std::string joined(const std::vector<const Type*>& types) {
  std::vector<std::string> texts;
  for (const Type* type : types) texts.push_back(to_string(type));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string with_arguments(std::string text, const Type* type) {
  if (type->declaration != nullptr) text += type->declaration->name.text;
  if (!type->arguments.empty()) text += fmt::format("<{}>", joined(type->arguments));
  return text;
}

std::string record_text(const Type* type) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < type->arguments.size(); ++i) {
    texts.push_back(fmt::format("{} = {}", type->names[i], to_string(type->arguments[i])));
  }
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

}  // namespace

std::string to_string(const Type* type) {
  switch (type->kind) {
    case TypeKind::Unknown:
      return "unknown";
    case TypeKind::Void:
      return "void";
    case TypeKind::Bool:
      return "bool";
    case TypeKind::String:
      return "string";
    case TypeKind::InfInt:
      return "int";
    case TypeKind::Bits:
      return fmt::format("{}<{}>", type->is_signed ? "int" : "bit", type->width);
    case TypeKind::Varbit:
      return fmt::format("varbit<{}>", type->width);
    case TypeKind::Error:
      return "error";
    case TypeKind::MatchKind:
      return "match_kind";
    case TypeKind::Enum:
    case TypeKind::SerializableEnum:
      return "enum " + type->declaration->name.text;
    case TypeKind::Newtype:
      return type->declaration->name.text;
    case TypeKind::Struct:
      return with_arguments("struct ", type);
    case TypeKind::Header:
      return with_arguments("header ", type);
    case TypeKind::HeaderUnion:
      return with_arguments("header_union ", type);
    case TypeKind::Stack:
      return fmt::format("{}[{}]", to_string(type->arguments[0]), type->width);
    case TypeKind::Tuple:
      return fmt::format("tuple<{}>", joined(type->arguments));
    case TypeKind::List:
      return fmt::format("list<{}>", joined(type->arguments));
    case TypeKind::TypeVariable:
      return type->declaration->name.text;
    case TypeKind::Extern:
      return with_arguments("extern ", type);
    case TypeKind::Parser:
      return with_arguments("parser ", type);
    case TypeKind::Control:
      return with_arguments("control ", type);
    case TypeKind::Package:
      return with_arguments("package ", type);
    case TypeKind::Action:
      return "action";
    case TypeKind::Table:
      return with_arguments("table ", type);
    case TypeKind::Function:
      return "function";
    case TypeKind::Set:
      return fmt::format("set<{}>", joined(type->arguments));
    case TypeKind::ApplyResult:
      return "result of applying " + type->declaration->name.text;
    case TypeKind::ActionRun:
      return "action_run of " + type->declaration->name.text;
    case TypeKind::DontCare:
      return "_";
    case TypeKind::InvalidHeader:
      return "{#}";
    case TypeKind::Dots:
      return "...";
    case TypeKind::Record:
      return record_text(type);
    case TypeKind::NamedType:
      return "type " + joined(type->arguments);
  }
  return "unknown";
}

const Type* representation(const Type* type) {
  while (type->is(TypeKind::SerializableEnum) || type->is(TypeKind::Newtype)) type = type->arguments[0];
  return type;
}

bool has_type_variable(const Type* type) {
  return type->is(TypeKind::TypeVariable) || std::ranges::any_of(type->arguments, has_type_variable);
}

std::optional<SizeInBits> size_in_bits(TypeTable& types, const Type* type) {
  switch (type->kind) {
    case TypeKind::Bool:
      return SizeInBits{1, 1};
    case TypeKind::Bits:
      return SizeInBits{type->width, type->width};
    case TypeKind::Varbit:
      return SizeInBits{0, type->width};
    case TypeKind::SerializableEnum:
    case TypeKind::Newtype:
      return size_in_bits(types, type->arguments[0]);
    case TypeKind::Struct:
    case TypeKind::Header:
    case TypeKind::HeaderUnion: {
      SizeInBits sum;
      bool is_first = true;
      for (const FieldType& field : types.fields(type)) {
        auto size = size_in_bits(types, field.type);
        if (!size) return std::nullopt;
        if (type->is(TypeKind::HeaderUnion)) {
          sum.least = is_first ? size->least : std::min(sum.least, size->least);
          sum.most = std::max(sum.most, size->most);
        } else {
          sum.least += size->least;
          sum.most += size->most;
        }
        is_first = false;
      }
      return sum;
    }
    case TypeKind::Stack: {
      auto size = size_in_bits(types, type->arguments[0]);
      if (!size) return std::nullopt;
      return SizeInBits{size->least * type->width, size->most * type->width};
    }
    case TypeKind::Tuple: {
      SizeInBits sum;
      for (const Type* element : type->arguments) {
        auto size = size_in_bits(types, element);
        if (!size) return std::nullopt;
        sum.least += size->least;
        sum.most += size->most;
      }
      return sum;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace perfpact::p4
