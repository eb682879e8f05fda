#include "base/spelling.h"
#include "p4/check/checker.h"

namespace perfpact::p4 {

const Type* Checker::unknown_member(const ast::Member& member, const Type* type,
                                    const std::vector<std::string>& known) {
  diagnostics_.report(diag::kUnknownMember, member.member.span, to_string(type), member.member.text,
                      did_you_mean(member.member.text, known));
  if (type->declaration != nullptr) note_declaration(*type->declaration);
  return unknown_;
}

const Type* Checker::check_member(const ast::Member& member) {
  const Type* object = check_expression(*member.object);
  switch (object->kind) {
    case TypeKind::Unknown:
      return unknown_;
    case TypeKind::NamedType:
      return check_type_member(member, object->arguments[0]);
    case TypeKind::Struct:
    case TypeKind::Header:
    case TypeKind::HeaderUnion:
      return check_field(member, object);
    case TypeKind::Stack:
      return check_stack_member(member, object);
    case TypeKind::ApplyResult:
      return check_apply_member(member, object);
    default:
      return unknown_member(member, object, {});
  }
}

const Type* Checker::check_type_member(const ast::Member& member, const Type* type) {
  std::vector<std::string> known;
  switch (type->kind) {
    case TypeKind::Unknown:
      return unknown_;
    case TypeKind::Error: {
      auto found = error_members_.find(member.member.text);
      if (found != error_members_.end()) {
        state_.set_target(member, found->second);
        return type;
      }
      for (const auto& [name, declaration] : error_members_) known.emplace_back(name);
      break;
    }
    case TypeKind::Enum:
    case TypeKind::SerializableEnum:
      for (const ast::EnumMember* candidate : ast::cast<ast::Enum>(type->declaration)->members) {
        known.push_back(candidate->name.text);
        if (candidate->name.text != member.member.text) continue;
        state_.set_target(member, candidate);
        return type;
      }
      break;
    default:
      break;
  }
  return unknown_member(member, type, known);
}

const Type* Checker::check_field(const ast::Member& member, const Type* type) {
  std::vector<std::string> known;
  for (const FieldType& field : types_.fields(type)) {
    if (field.field->name.text == member.member.text) {
      state_.set_target(member, field.field);
      return field.type;
    }
    known.push_back(field.field->name.text);
  }
  diagnostics_.report(diag::kUnknownField, member.member.span, to_string(type), member.member.text,
                      did_you_mean(member.member.text, known));
  note_declaration(*type->declaration);
  return unknown_;
}

const Type* Checker::check_stack_member(const ast::Member& member, const Type* type) {
  const std::string& name = member.member.text;
  if (name == "size") return types_.bits(32);
  const Type* element = type->arguments[0];
  const bool is_stack = element->is(TypeKind::Header) || element->is(TypeKind::HeaderUnion) ||
                        element->is(TypeKind::TypeVariable);
  const bool is_position = is_stack && (name == "next" || name == "last" || name == "lastIndex");
  if (!is_position) return unknown_member(member, type, {"next", "last", "lastIndex", "size"});
  if (context_.place != Place::State) {
    diagnostics_.report(diag::kMisplaced, member.member.span, fmt::format("'{}' of a stack", name),
                        place_name());
    return unknown_;
  }
  return name == "lastIndex" ? types_.bits(32) : type->arguments[0];
}

const Type* Checker::check_apply_member(const ast::Member& member, const Type* type) {
  const std::string& name = member.member.text;
  if (name == "hit" || name == "miss") return bool_;
  if (name == "action_run") return types_.declared(TypeKind::ActionRun, type->declaration);
  return unknown_member(member, type, {"hit", "miss", "action_run"});
}

}  // namespace perfpact::p4
