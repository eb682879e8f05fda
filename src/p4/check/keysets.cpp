// Keysets of select cases and of table entries (specification, section 12.13).
#include "p4/check/checker.h"

namespace perfpact::p4 {

bool Checker::is_whole_value_set(const ast::Expression& keyset, const std::vector<const Type*>& keys) {
  if (!ast::isa<ast::Name>(&keyset) || keys.size() < 2) return false;
  const Type* type = check_expression(keyset);
  if (!type->is(TypeKind::Set)) return false;
  std::vector<const Type*> parts;
  flatten(type->arguments[0], parts);
  return parts == keys;
}

void Checker::flatten(const Type* type, std::vector<const Type*>& parts) {
  if (type->is(TypeKind::Tuple)) {
    for (const Type* element : type->arguments) flatten(element, parts);
  } else if (type->is(TypeKind::Struct)) {
    for (const FieldType& field : types_.fields(type)) flatten(field.type, parts);
  } else {
    parts.push_back(type);
  }
}

std::vector<const ast::Expression*> Checker::check_keyset(const ast::Expression& keyset,
                                                          const std::vector<const Type*>& keys) {
  std::vector<const ast::Expression*> elements;
  if (ast::isa<ast::DefaultKey>(&keyset)) {
    elements.assign(keys.size(), &keyset);
    state_.set_type(keyset, types_.get(TypeKind::Dots));
    return elements;
  }
  if (is_whole_value_set(keyset, keys)) return {&keyset};
  if (const auto* tuple = ast::dyn_cast<ast::TupleKey>(&keyset)) {
    elements.assign(tuple->elements.begin(), tuple->elements.end());
    state_.set_type(keyset, types_.get({.kind = TypeKind::Set, .arguments = {types_.tuple(keys)}}));
  } else if (const auto* list = ast::dyn_cast<ast::List>(&keyset);
             list != nullptr && keys.size() == list->elements.size()) {
    elements.assign(list->elements.begin(), list->elements.end());
    state_.set_type(keyset, types_.get({.kind = TypeKind::Set, .arguments = {types_.tuple(keys)}}));
  } else {
    elements.push_back(&keyset);
  }
  if (elements.size() != keys.size()) {
    diagnostics_.report(diag::kBadKeyset, keyset.span,
                        fmt::format("{} key{} expected here, but {} given", keys.size(),
                                    keys.size() == 1 ? "" : "s", elements.size()));
    return {};
  }
  for (std::size_t i = 0; i < keys.size(); ++i) check_keyset_element(*elements[i], keys[i]);
  return elements;
}

void Checker::check_keyset_element(const ast::Expression& element, const Type* key) {
  const Type* set = types_.get({.kind = TypeKind::Set, .arguments = {key}});
  const Type* number = representation(key);
  auto fit_number = [&](const ast::Expression& operand) {
    const Type* type = check_expression(operand);
    return fit(operand, type == key ? key : number);
  };
  auto require_number = [&](std::string_view what) {
    if (number->is(TypeKind::Bits) || number->is(TypeKind::Unknown)) return;
    diagnostics_.report(diag::kBadKeyset, element.span,
                        fmt::format("{} of '{}' make no sense", what, to_string(key)));
  };
  if (ast::isa<ast::DefaultKey>(&element)) {
    state_.set_type(element, set);
    return;
  }
  if (const auto* mask = ast::dyn_cast<ast::Mask>(&element)) {
    require_number("masks");
    fit_number(*mask->value);
    fit_number(*mask->mask);
    state_.set_type(element, set);
    return;
  }
  if (const auto* range = ast::dyn_cast<ast::Range>(&element)) {
    require_number("ranges");
    const bool low_fits = fit_number(*range->low);
    const bool are_right = fit_number(*range->high) && low_fits;
    state_.set_type(element, set);
    auto low = known_value(*range->low);
    auto high = known_value(*range->high);
    if (are_right && low && high && low->integer() != nullptr && high->integer() != nullptr &&
        *low->integer() > *high->integer()) {
      diagnostics_.report(diag::kEmptyRange, element.span, low->integer()->str(), high->integer()->str());
    }
    return;
  }
  const Type* type = check_expression(element);
  if (type->is(TypeKind::Unknown)) return;
  if (type->is(TypeKind::Set)) {
    const Type* members = type->arguments[0];
    std::vector<FieldType> fields = types_.fields(members);
    const bool is_wrapped = fields.size() == 1 && fields.front().type == key;
    if (members != key && !is_wrapped && !key->is(TypeKind::Unknown)) mismatch(element, set);
    return;
  }
  const bool takes_number = key->is(TypeKind::SerializableEnum) && type != key;
  fit(element, takes_number ? number : key);
}

}  // namespace perfpact::p4
