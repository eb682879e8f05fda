// Value sets: a table without events for each, looked up before a select that names it; whether it hit is one
// operand more of the select.
#include <algorithm>

#include "p4/core/lowering.h"

namespace perfpact::p4::core {
namespace {

/// The kind that `@match(kind)` names; exact without it, nothing for a kind that does not match.
std::optional<tables::MatchKind> annotated_kind(const ast::Annotations& annotations) {
  const ast::Annotation* annotation = find_annotation(annotations, "match");
  if (annotation == nullptr) return tables::MatchKind::Exact;
  auto kind = tables::find_match_kind(annotation->body);
  return kind == tables::MatchKind::Selector ? std::nullopt : kind;
}

}  // namespace

tables::TableId Lowering::value_set(const ast::ValueSet& declaration) {
  const auto key = std::pair(frame_declaring(declaration), &declaration);
  if (auto known = value_sets_.find(key); known != value_sets_.end()) return known->second;
  const auto id = static_cast<tables::TableId>(program_->tables.size());
  program_->tables.push_back(value_set_schema(declaration));
  value_sets_[key] = id;
  return id;
}

tables::TableSchema Lowering::value_set_schema(const ast::ValueSet& declaration) {
  tables::TableSchema schema;
  schema.name = control_plane_name_in(frame_declaring(declaration), declaration);
  schema.role = tables::TableRole::ValueSet;
  schema.span = declaration.name.span;
  schema.size = constant_u64(*declaration.size);
  schema.actions.push_back({"", {}, false, false, declaration.name.span});
  const auto add_keys = [&](const Type* type, const std::string& name, const ast::Annotations& annotations,
                            const Span& span, const auto& self) -> void {
    const Type* shape = representation(resolve(type));
    const std::string prefix = name.empty() ? "" : name + ".";
    if (shape->is(TypeKind::Struct)) {
      for (const FieldType& field : typed_.types().fields(shape))
        self(field.type, prefix + field.field->name.text, field.field->annotations, field.field->span, self);
    } else if (shape->is(TypeKind::Tuple)) {
      for (std::size_t i = 0; i < shape->arguments.size(); ++i)
        self(shape->arguments[i], prefix + std::to_string(i), {}, span, self);
    } else {
      const auto kind = annotated_kind(annotations);
      if (!kind) unsupported(span, "the match kind of a value set's field");
      schema.keys.push_back({name, scalar_width(shape), kind.value_or(tables::MatchKind::Exact), span});
    }
  };
  const Type* element = resolve(typed_.type_of(static_cast<const ast::Declaration&>(declaration)));
  const Type* values = element->arguments.at(0);
  const bool has_fields =
      representation(values)->is(TypeKind::Struct) || representation(values)->is(TypeKind::Tuple);
  add_keys(values, has_fields ? "" : declaration.name.text, declaration.annotations, declaration.name.span,
           add_keys);
  return schema;
}

SlotId Lowering::look_up_in_set(const ast::ValueSet& declaration, std::span<const Operand> operands,
                                const Span& at) {
  Lookup lookup;
  lookup.table = value_set(declaration);
  const std::string name = program_->tables[index(lookup.table)].name;
  lookup.keys.assign(operands.begin(), operands.end());
  lookup.decision = new_decision();
  lookup.hit = new_slot(name + ".$hit", 1);
  lookup.action = new_slot(name + ".$action", 32);
  lookup.entries = new_slot(name + ".$entries", 64);
  lookup.visited = new_slot(name + ".$visited", 64);
  lookup.prefix_length = new_slot(name + ".$prefix_length", 32);
  lookup.data.resize(1);
  const SlotId hit = lookup.hit;
  emit(at, std::move(lookup));
  return hit;
}

}  // namespace perfpact::p4::core
