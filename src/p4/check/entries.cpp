// Entries of tables: their keys, their actions, their priorities (specification, section 14.2.1.4).
#include <algorithm>

#include "p4/check/checker.h"

namespace perfpact::p4 {

void Checker::check_entries(const ast::Table& table, TableInfo& info) {
  info.entries_are_const = table.entries_are_const;
  if (!table.entries.empty() && table.keys.empty()) {
    diagnostics_.report(diag::kBadEntry, table.name.span,
                        fmt::format("table '{}' has entries but no key", table.name.text));
    return;
  }
  const std::size_t before = diagnostics_.error_count();
  for (const ast::TableEntry* entry : table.entries) check_entry(*entry, table, info);
  if (diagnostics_.error_count() == before) check_priorities(table, info);
}

void Checker::check_priorities(const ast::Table& table, TableInfo& info) {
  auto first =
      std::ranges::find_if(info.entries, [](const TableInfo::Entry& e) { return e.priority.has_value(); });
  if (first == info.entries.end()) return;
  if (info.entries_are_const) {
    diagnostics_.report(diag::kBadEntry, first->element->priority->span,
                        "constant entries have no priorities: the first that matches wins");
    return;
  }
  if (std::ranges::all_of(info.keys, [](const TableInfo::Key& key) {
        return key.match_kind == "exact" || key.match_kind == "lpm";
      })) {
    diagnostics_.report(
        diag::kBadEntry, property_span(table, "key"),
        fmt::format("entries of table '{}' have no priorities: it has exact and lpm keys only",
                    table.name.text));
    diagnostics_.note(first->element->priority->span, "a priority");
    return;
  }
  if (first != info.entries.begin()) {
    diagnostics_.report(diag::kBadEntry, info.entries.front().element->span,
                        "the first entry needs a priority, since a later one has it");
    diagnostics_.note(first->element->priority->span, "a priority");
    return;
  }
  Integer next = 0;
  for (TableInfo::Entry& entry : info.entries) {
    if (!entry.priority) entry.priority = next;
    if (*entry.priority < 0) {
      diagnostics_.report(diag::kBadEntry, table.name.span,
                          fmt::format("an entry of table '{}' gets the priority {}, which is below 0",
                                      table.name.text, entry.priority->str()));
      diagnostics_.note(entry.element->span, "this entry");
      return;
    }
    next =
        *entry.priority + (info.largest_priority_wins ? Integer(-info.priority_delta) : info.priority_delta);
  }
}

void Checker::check_key_is_known(const ast::Expression& key, std::string_view what) {
  auto check = [&](const ast::Expression& part) {
    if (!is_compile_time(part)) diagnostics_.report(diag::kNotKnown, part.span, what);
  };
  if (const auto* mask = ast::dyn_cast<ast::Mask>(&key)) {
    check(*mask->value);
    check(*mask->mask);
  } else if (const auto* range = ast::dyn_cast<ast::Range>(&key)) {
    check(*range->low);
    check(*range->high);
  } else if (!ast::isa<ast::DefaultKey>(&key)) {
    check(key);
  }
}

void Checker::check_entry_key(const ast::Expression& key, const TableInfo::Key& info) {
  const std::string& kind = info.match_kind;
  auto refuse = [&](std::string_view what) {
    diagnostics_.report(diag::kBadEntry, key.span,
                        fmt::format("{} cannot be matched by a key of kind '{}'", what, kind));
  };
  const bool is_known = kind == "exact" || kind == "lpm" || kind == "ternary" || kind == "optional";
  if (ast::isa<ast::Range>(&key) && is_known) return refuse("a range");
  const auto* mask = ast::dyn_cast<ast::Mask>(&key);
  if (mask == nullptr) return;
  if (kind == "exact" || kind == "optional" || kind == "range") return refuse("a mask");
  auto value = known_value(*mask->mask);
  const Type* number = representation(info.type);
  if (kind != "lpm" || !value || value->integer() == nullptr || !number->is(TypeKind::Bits)) return;
  const Integer holes = all_ones(number->width) ^ reduce(*value->integer(), types_.bits(number->width));
  if ((holes & (holes + 1)) != 0) refuse("a mask that is no prefix");
}

void Checker::check_entry(const ast::TableEntry& entry, const ast::Table& table, TableInfo& info) {
  std::vector<const Type*> keys;
  for (const TableInfo::Key& key : info.keys) keys.push_back(key.type);
  TableInfo::Entry result{.element = &entry, .keys = {}, .action = 0, .reference = {}, .priority = {}};
  result.keys = check_keyset(*entry.keyset, keys);
  if (result.keys.size() == info.keys.size()) {
    for (std::size_t i = 0; i < info.keys.size(); ++i) check_entry_key(*result.keys[i], info.keys[i]);
  }
  for (const ast::Expression* key : result.keys) check_key_is_known(*key, "a key of an entry");
  if (entry.priority != nullptr) {
    check_expression(*entry.priority);
    result.priority = constant_integer(*entry.priority, "a priority");
  }
  check_arguments(entry.action->arguments);
  auto index = listed_action(*entry.action->action, table, info);
  if (!index) return;
  result.action = *index;
  const ast::ActionElement* element = info.actions[*index].element;
  if (element != nullptr && ast::find_annotation(element->annotations, "defaultonly") != nullptr) {
    diagnostics_.report(diag::kBadEntry, entry.action->span,
                        fmt::format("action '{}' is marked @defaultonly", element->action->name.text));
  }
  const ActionReference listed = info.actions[*index].reference;
  if (!bind_action(*listed.action, entry.action->arguments, entry.action->span, &listed, result.reference))
    return;
  info.entries.push_back(std::move(result));
}

}  // namespace perfpact::p4
