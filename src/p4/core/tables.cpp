// Tables: their schema for the tables stage, and what `apply` becomes: keys into temporaries in order, the
// look-up, its event, then the chosen action.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {

using program::EventKind;

namespace {

bool left_to_control_plane(const BoundArgument& argument) {
  return argument.value == nullptr && argument.parameter->direction == ast::Direction::None;
}

}  // namespace

TableInstance& Lowering::table(const ast::Table& table) {
  Frame* frame = frame_declaring(table);
  auto& known = tables_[{frame, &table}];
  if (known) return *known;
  known = std::make_unique<TableInstance>();
  TableInstance& instance = *known;
  const TableInfo* info = typed_.table(table);
  PERFPACT_CHECK(info != nullptr, "table {} was not checked", table.name.text);
  instance.info = info;
  for (const TableInfo::Action& listed : info->actions)
    instance.actions.push_back(&action(*listed.reference.action));
  for (const Callable* callable : instance.actions) instance.may_exit |= callable->may_exit;
  instance.id = static_cast<tables::TableId>(program_->tables.size());
  program_->tables.push_back(table_schema(table, *info));
  const std::string& name = program_->tables.back().name;
  instance.hit = new_slot(name + ".$hit", 1);
  instance.action = new_slot(name + ".$action", 32);
  instance.entries = new_slot(name + ".$entries", 64);
  instance.visited = new_slot(name + ".$visited", 64);
  instance.prefix_length = new_slot(name + ".$prefix_length", 32);
  for (const ast::TableProperty* property : info->other_properties) {
    const std::string& what = property->name.text;
    if (what == "counters") {
      instance.direct_counter = instance_of(*property->value);
    } else if (what == "implementation") {
      program_->tables[index(instance.id)].implementation = profile_schema(*property->value);
    }
  }
  if (instance.direct_counter != nullptr) {
    instance.entry = new_slot(name + ".$entry", 64);
    bind_direct(*instance.direct_counter, instance.id);
  }
  return instance;
}

// A counter or meter whose cells are the table's entries.
void Lowering::bind_direct(const Instance& instance, tables::TableId table) {
  if (!instance.object) return;
  Object& object = program_->objects[index(*instance.object)];
  if (object.table && *object.table != table)
    unsupported(instance.at, fmt::format("'{}' as the direct counter of two tables", instance.name));
  object.table = table;
  object.size = 0;
}

std::optional<tables::ProfileSchema> Lowering::profile_schema(const ast::Expression& implementation) {
  const Instance* profile = instance_of(implementation);
  if (profile == nullptr) return std::nullopt;
  tables::ProfileSchema schema{profile->name, std::nullopt, profile->at};
  if (profile->target->declaration->name.text != "action_selector") return schema;
  const ast::Expression& algorithm = *profile->target->arguments.at(0).value;
  schema.selector = hash_algorithm(algorithm);
  if (schema.selector == HashAlgorithm::Random)
    unsupported(algorithm.span, "an action_selector that chooses at random");
  return schema;
}

tables::TableSchema Lowering::table_schema(const ast::Table& table, const TableInfo& info) {
  tables::TableSchema schema;
  schema.name = control_plane_name_in(frame_declaring(table), table);
  schema.span = table.name.span;
  for (const TableInfo::Key& key : info.keys) {
    tables::KeySchema lowered;
    lowered.name = annotation_string(key.element->annotations, "name");
    if (lowered.name.empty()) lowered.name = to_source(*key.element->expression);
    lowered.width = scalar_width(resolve(key.type));
    lowered.span = key.element->span;
    auto kind = tables::find_match_kind(key.match_kind);
    if (!kind) unsupported(key.element->match_kind.span, fmt::format("match kind '{}'", key.match_kind));
    lowered.kind = kind.value_or(tables::MatchKind::Exact);
    schema.keys.push_back(std::move(lowered));
  }
  for (const TableInfo::Action& listed : info.actions) {
    tables::ActionSchema lowered;
    lowered.name = control_plane_name_in(frame_declaring(*listed.reference.action), *listed.reference.action);
    lowered.span = listed.reference.action->name.span;
    for (const BoundArgument& argument : listed.reference.arguments) {
      if (!left_to_control_plane(argument)) continue;
      const std::uint32_t width = scalar_width(resolve(argument.type));
      if (width == 0) unsupported(argument.parameter->span, "an action parameter that is no scalar");
      std::string name = annotation_string(argument.parameter->annotations, "name");
      lowered.parameters.push_back({name.empty() ? argument.parameter->name.text : name, width});
    }
    if (listed.element != nullptr) {
      lowered.default_only = find_annotation(listed.element->annotations, "defaultonly") != nullptr;
      lowered.table_only = find_annotation(listed.element->annotations, "tableonly") != nullptr;
    }
    schema.actions.push_back(std::move(lowered));
  }
  if (info.default_action) {
    schema.default_action = {*info.default_action, action_data(info.actions[*info.default_action].reference,
                                                               info.default_reference)};
  } else {
    for (std::size_t i = 0; i < info.actions.size(); ++i)
      if (info.actions[i].reference.action->name.text == "NoAction")
        schema.default_action.action = static_cast<std::uint32_t>(i);
  }
  schema.default_is_const = info.default_is_const;
  schema.entries_are_const = info.entries_are_const;
  if (info.size && *info.size >= 0 && *info.size <= all_ones(63))
    schema.size = info.size->convert_to<std::uint64_t>();
  add_initial_entries(info, schema);
  return schema;
}

std::int64_t Lowering::entry_priority(const std::optional<Integer>& number, const Span& at) {
  if (number && *number >= 0 && *number <= all_ones(62)) return number->convert_to<std::int64_t>();
  diagnostics_.report(diag::kEntryPriority, at);
  return 0;
}

// Constant entries rank in program order; an annotation @priority(n), of which the smallest wins, takes the
// place of an entry's position. Others: an explicit priority, else the previous one less 1 (more, where the
// smallest wins); the first of n without one begins at n (specification, section 14.2.1.4).
void Lowering::add_initial_entries(const TableInfo& info, tables::TableSchema& schema) {
  auto count = static_cast<std::int64_t>(info.entries.size());
  std::int64_t next = info.largest_priority_wins ? count : 1;
  for (std::size_t i = 0; i < info.entries.size(); ++i) {
    const TableInfo::Entry& entry = info.entries[i];
    tables::Entry lowered;
    lowered.span = entry.element->span;
    for (std::size_t k = 0; k < entry.keys.size(); ++k)
      lowered.matches.push_back(table_match(*entry.keys[k], schema.keys.at(k)));
    lowered.action = {entry.action, action_data(info.actions[entry.action].reference, entry.reference)};
    if (info.entries_are_const) {
      const ast::Annotation* annotation = find_annotation(entry.element->annotations, "priority");
      lowered.priority = annotation == nullptr
                             ? -static_cast<std::int64_t>(i) - 1
                             : -entry_priority(parse_integer(annotation->body), annotation->span);
    } else {
      if (entry.priority) next = entry_priority(entry.priority, entry.element->priority->span);
      lowered.priority = info.largest_priority_wins ? next : -next;
      next += info.largest_priority_wins ? -1 : 1;
    }
    schema.initial_entries.push_back(std::move(lowered));
  }
}

tables::Match Lowering::table_match(const ast::Expression& key, const tables::KeySchema& schema) {
  using tables::MatchKind;
  Pattern pattern = pattern_of(key, schema.width);
  const Integer ones = all_ones(schema.width);
  if (schema.kind == MatchKind::Range) {
    if (pattern.is_range) return {pattern.value, pattern.mask, 0};
    if (pattern.mask == 0) return {0, ones, 0};
    PERFPACT_CHECK(pattern.mask == ones, "a mask for a range key");
    return {pattern.value, pattern.value, 0};
  }
  if (pattern.is_range) unsupported(key.span, "a range as the entry of a key that is not of kind range");
  tables::Match match{pattern.value, pattern.mask, 0};
  if (schema.kind == MatchKind::Lpm) {
    std::uint32_t length = 0;
    while (length < schema.width && bit_test(match.mask, schema.width - 1 - length)) ++length;
    PERFPACT_CHECK(match.mask == ones - all_ones(schema.width - length),
                   "a mask that is no prefix for an lpm key");
    match.prefix_length = length;
  }
  return match;
}

std::vector<Integer> Lowering::action_data(const ActionReference& listed, const ActionReference& given) {
  std::vector<Integer> data;
  for (std::size_t i = 0; i < listed.arguments.size(); ++i) {
    if (!left_to_control_plane(listed.arguments[i])) continue;
    const ast::Expression* value = i < given.arguments.size() ? given.arguments[i].value : nullptr;
    const std::uint32_t width = scalar_width(resolve(listed.arguments[i].type));
    if (value == nullptr || !constant(*value)) {
      diagnostics_.report(diag::kNotConstant, value != nullptr ? value->span : given.action->span,
                          "action data");
      data.emplace_back(0);
      continue;
    }
    data.push_back(convert(value->span, evaluate(*value), listed.arguments[i].type).scalar.value &
                   all_ones(width));
  }
  return data;
}

Operand Lowering::table_key(const TableInfo::Key& key, std::uint32_t width) {
  const ast::Expression& expression = *key.element->expression;
  Operand value = resize(expression.span, evaluate(expression).scalar, width, false);
  // A field of an invalid header is looked up as zero, as the reference switch does.
  if (const auto* member = ast::dyn_cast<ast::Member>(&expression);
      member != nullptr && is_pure(*member->object))
    if (representation(type_of(*member->object))->is(TypeKind::Header)) {
      Operand valid = evaluate(*member->object).valid;
      value = compute(expression.span, Op::Choose, width, {valid, value, Operand::constant(width, 0)});
    }
  return value;
}

TableInstance& Lowering::apply_table(const ast::Table& declaration, const Span& at) {
  TableInstance& instance = table(declaration);
  const tables::TableSchema schema = program_->tables[index(instance.id)];
  Lookup lookup;
  lookup.table = instance.id;
  for (std::size_t i = 0; i < instance.info->keys.size(); ++i) {
    Operand key = table_key(instance.info->keys[i], schema.keys[i].width);
    if (!key.is_constant) key = compute(at, Op::Copy, key.width, {key});
    lookup.keys.push_back(key);
  }
  lookup.decision = new_decision();
  lookup.hit = instance.hit;
  lookup.action = instance.action;
  lookup.entries = instance.entries;
  lookup.visited = instance.visited;
  lookup.prefix_length = instance.prefix_length;
  lookup.entry = instance.entry;
  for (std::size_t i = 0; i < instance.actions.size(); ++i) {
    auto& slots = lookup.data.emplace_back();
    const auto& arguments = instance.info->actions[i].reference.arguments;
    for (std::size_t j = 0; j < arguments.size(); ++j)
      if (left_to_control_plane(arguments[j]))
        slots.push_back(instance.actions[i]->parameters.at(j).scalar.slot);
  }
  emit(at, lookup);
  event(at, EventKind::TableApply, {schema.name, std::string(schema.kind())},
        {of(instance.entries), number(schema.key_bits()), resize(at, of(instance.hit), 64, false),
         of(instance.visited), resize(at, of(instance.prefix_length), 64, false)});
  // As in the reference switch, an entry counts whenever it is hit, and the default has no counter.
  if (instance.direct_counter != nullptr)
    when(at, of(instance.hit), false, [&] {
      event(at, EventKind::Counter, {instance.direct_counter->name}, {});
      emit(at, Count{*instance.direct_counter->object, of(*instance.entry)});
    });

  Select dispatch;
  dispatch.operands = {of(instance.action)};
  BlockId after = new_block();
  dispatch.default_block = after;
  std::vector<BlockId> blocks;
  for (std::size_t i = 0; i < instance.actions.size(); ++i) {
    blocks.push_back(new_block());
    dispatch.cases.push_back({{{false, Integer(i), all_ones(32)}}, blocks.back()});
  }
  terminate(at, dispatch);
  for (std::size_t i = 0; i < instance.actions.size(); ++i) {
    enter(blocks[i]);
    run_table_action(instance, i, at);
    jump(at, after);
  }
  enter(after);
  if (instance.may_exit) follow_exit(at);
  return instance;
}

void Lowering::run_table_action(TableInstance& instance, std::size_t action_index, const Span& at) {
  const TableInfo::Action& listed = instance.info->actions[action_index];
  Callable& callable = *instance.actions[action_index];
  std::uint64_t data = 0;
  CallTarget bound;  // the arguments that the actions list gives
  std::vector<Value> parameters;
  for (std::size_t i = 0; i < listed.reference.arguments.size(); ++i) {
    const BoundArgument& argument = listed.reference.arguments[i];
    if (left_to_control_plane(argument)) {
      data += scalar_width(resolve(argument.type));
      continue;
    }
    bound.evaluation_order.push_back(static_cast<std::uint32_t>(bound.arguments.size()));
    bound.arguments.push_back(argument);
    parameters.push_back(callable.parameters.at(i));
  }
  event(at, EventKind::ActionRun, {program_->procedures[index(callable.procedure)].name}, {number(data)});
  auto arguments = prepare(bound, bound.evaluation_order);
  copy_in(at, arguments, parameters);
  emit(at, Call{callable.procedure});
  copy_out(at, arguments, parameters);
}

}  // namespace perfpact::p4::core
