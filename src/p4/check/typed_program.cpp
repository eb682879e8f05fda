#include "p4/check/typed_program.h"

#include "base/check.h"

namespace perfpact::p4 {

namespace {

std::size_t index(const ast::Node& node) {
  return static_cast<std::size_t>(node.id);
}

template <class Map, class Key>
auto find(const Map& map, const Key& key) -> const typename Map::mapped_type* {
  auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

TypedProgram::TypedProgram(std::shared_ptr<const ast::Ast> ast)
    : ast_(std::move(ast)),
      types_(std::make_unique<TypeTable>()),
      node_types_(ast_->node_count(), nullptr),
      casts_(ast_->node_count(), nullptr),
      targets_(ast_->node_count(), nullptr) {}

const Type* TypedProgram::type_of(const ast::Expression& expression) const {
  return node_types_[index(expression)];
}

const Type* TypedProgram::cast_of(const ast::Expression& expression) const {
  return casts_[index(expression)];
}

const Type* TypedProgram::final_type_of(const ast::Expression& expression) const {
  const Type* cast = cast_of(expression);
  return cast != nullptr ? cast : type_of(expression);
}

const Type* TypedProgram::denoted(const ast::Type& type) const {
  return node_types_[index(type)];
}

const Type* TypedProgram::type_of(const ast::Declaration& declaration) const {
  return node_types_[index(declaration)];
}

const ast::Declaration* TypedProgram::target(const ast::Node& node) const {
  return targets_[index(node)];
}

const Constant* TypedProgram::value_of(const ast::Expression& expression) const {
  return find(values_, static_cast<const ast::Node*>(&expression));
}

const Constant* TypedProgram::value_of(const ast::Declaration& declaration) const {
  return find(values_, static_cast<const ast::Node*>(&declaration));
}

const CallTarget* TypedProgram::call(const ast::Node& call_or_instance) const {
  return find(calls_, &call_or_instance);
}

const TableInfo* TypedProgram::table(const ast::Table& table) const {
  return find(tables_, &table);
}

std::uint32_t TypedProgram::ordinal(const ast::EnumMember& member) const {
  const std::uint32_t* number = find(ordinals_, &member);
  PERFPACT_CHECK(number != nullptr, "enum member '{}' has no number", member.name.text);
  return *number;
}

}  // namespace perfpact::p4
