// Parser states, transitions, and what a parser does with its packet. A failed operation sets the parser
// error and goes to the parser's reject block (specification, sections 12.8 to 12.11).
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {

using program::EventKind;

void Lowering::lower_state(const ast::State& state, const std::map<std::string, BlockId>& states) {
  event(state.name.span, EventKind::ParserState, {control_plane_name(state)}, {});
  for (const ast::Statement* statement : state.statements) lower(*statement);
  if (context_.terminated) return;
  if (!state.has_transition) {
    jump(state.span, states.at("reject"));
  } else if (!state.is_select) {
    jump(state.transition_span, states.at(state.next_state.text));
  } else {
    lower_select(state, states);
  }
}

void Lowering::lower_select(const ast::State& state, const std::map<std::string, BlockId>& states) {
  Select select;
  for (const ast::Expression* argument : state.select_arguments) {
    Value value = evaluate(*argument);
    if (value.scalar.width == 0) {
      unsupported(argument->span, "a select on a value that is no scalar");
      return;
    }
    select.operands.push_back(value.scalar);
  }
  std::uint64_t key_bits = 0;
  for (const Operand& operand : select.operands) key_bits += operand.width;
  event(state.transition_span, EventKind::ParserSelect, {}, {number(state.cases.size()), number(key_bits)});

  std::vector<SetUse> sets;
  for (const ast::SelectCase* one : state.cases) {
    SelectCase& lowered = select.cases.emplace_back();
    lowered.to = states.at(one->state.text);
    if (ast::isa<ast::DefaultKey>(one->keyset))
      lowered.patterns.resize(select.operands.size());  // matches whatever comes
    else
      append_patterns(*one->keyset, select, sets, lowered);
  }
  for (const SetUse& use : sets) {
    select.operands.push_back(of(use.hit));
    for (SelectCase& one : select.cases) one.patterns.emplace_back();
    select.cases[use.case_index].patterns.back() = {false, 1, 1};
  }
  BlockId no_match = new_block();
  select.default_block = no_match;
  select.is_decision = true;
  select.decision = new_decision();
  terminate(state.transition_span, select);
  enter(no_match);
  reject_with(state.transition_span, "NoMatch");
}

void Lowering::append_patterns(const ast::Expression& keyset, const Select& select, std::vector<SetUse>& sets,
                               SelectCase& lowered) {
  if (const auto* tuple = ast::dyn_cast<ast::TupleKey>(&keyset)) {
    for (const ast::Expression* element : tuple->elements) append_patterns(*element, select, sets, lowered);
    return;
  }
  const std::size_t at = lowered.patterns.size();
  const std::span operands = std::span(select.operands).subspan(at);
  if (const auto* name = ast::dyn_cast<ast::Name>(&keyset))
    if (const auto* set = ast::dyn_cast<ast::ValueSet>(typed_.target(*name))) {
      const std::size_t fields = program_->tables[index(value_set(*set))].keys.size();
      PERFPACT_CHECK(fields <= operands.size(), "a value set longer than the select");
      sets.push_back({select.cases.size() - 1, look_up_in_set(*set, operands.first(fields), keyset.span)});
      lowered.patterns.resize(at + fields);  // the set decides
      return;
    }
  PERFPACT_CHECK(!operands.empty(), "a keyset longer than the select");
  lowered.patterns.push_back(pattern_of(keyset, operands.front().width));
}

Pattern Lowering::pattern_of(const ast::Expression& key, std::uint32_t width) {
  if (ast::isa<ast::DefaultKey>(&key)) return {};
  const auto value = [&](const ast::Expression& e) -> Integer {
    if (!constant(e)) {
      diagnostics_.report(diag::kNotConstant, e.span, "a value that is matched with");
      return 0;
    }
    return resize(e.span, evaluate(e).scalar, width,
                  is_signed(type_of(e)) || type_of(e)->is(TypeKind::InfInt))
        .value;
  };
  if (const auto* mask = ast::dyn_cast<ast::Mask>(&key)) {
    Integer bits = value(*mask->mask);
    return {false, value(*mask->value) & bits, bits};
  }
  if (const auto* range = ast::dyn_cast<ast::Range>(&key))
    return {true, value(*range->low), value(*range->high)};
  return {false, value(key), all_ones(width)};
}

void Lowering::reject_with(const Span& at, std::string_view error) {
  const auto& errors = typed_.errors();
  auto found = std::find_if(errors.begin(), errors.end(),
                            [&](const ast::EnumMember* member) { return member->name.text == error; });
  PERFPACT_CHECK(found != errors.end(), "core.p4 does not declare error.{}", error);
  assign(at, parser_error_, Operand::constant(32, typed_.ordinal(**found)));
  jump(at, *context_.reject);
}

void Lowering::require(const Span& at, const Operand& condition, std::string_view error) {
  if (!context_.reject) return;  // outside parsers .next and .last are merely undefined
  if (condition.is_constant && condition.value != 0) return;
  BlockId ok = new_block();
  BlockId failed = new_block();
  branch(at, condition, ok, failed, true);
  enter(failed);
  reject_with(at, error);
  enter(ok);
}

Value Lowering::packet_in_call(const ast::Call& call, const CallTarget& target, std::string_view method) {
  Value result;
  result.type = type_of(call);
  const Span& at = call.span;
  if (method == "extract") {
    extract(call, target);
  } else if (method == "length") {
    SlotId to = new_temporary(32);
    emit(at, PacketLength{to});
    result.scalar = of(to);
  } else if (method == "lookahead") {
    const std::uint32_t bits = data_bits(typed_.types(), result.type);
    SlotId remaining = new_temporary(32);
    emit(at, PacketRemaining{remaining});
    require(at, compute(at, Op::LessEqual, 1, {Operand::constant(32, bits), of(remaining)}),
            "PacketTooShort");
    event(at, EventKind::ParserLookahead, {}, {number(bits)});
    std::uint32_t offset = 0;
    result = peek(at, result.type, offset);
  } else if (method == "advance") {
    Operand bits = resize(at, evaluate(*target.arguments.at(0).value).scalar, 32, false);
    SlotId remaining = new_temporary(32);
    emit(at, PacketRemaining{remaining});
    require(at, compute(at, Op::LessEqual, 1, {bits, of(remaining)}), "PacketTooShort");
    event(at, EventKind::ParserAdvance, {}, {resize(at, bits, 64, false)});
    emit(at, PacketAdvance{bits});
  } else {
    unsupported(at, fmt::format("packet_in.{}", method));
  }
  return result;
}

Value Lowering::peek(const Span& at, const Type* type, std::uint32_t& offset) {
  Value value = zero_value(type);
  if (value.scalar.width != 0) {
    if (representation(value.type)->is(TypeKind::Varbit)) unsupported(at, "lookahead of a varbit");
    SlotId to = new_temporary(value.scalar.width);
    emit(at, PacketPeek{to, offset});
    offset += value.scalar.width;
    value.scalar = of(to);
  }
  for (Value& part : value.parts) part = peek(at, part.type, offset);
  if (value.valid.width != 0) value.valid = Operand::constant(1, 1);
  return value;
}

void Lowering::extract(const ast::Call& call, const CallTarget& target) {
  const Span& at = call.span;
  std::optional<Operand> varbit_bits;
  if (target.arguments.at(0).value == nullptr) {  // extract<T>(_): skips a header
    const std::uint32_t bits = data_bits(typed_.types(), resolve(target.arguments[0].type));
    SlotId remaining = new_temporary(32);
    emit(at, PacketRemaining{remaining});
    require(at, compute(at, Op::LessEqual, 1, {Operand::constant(32, bits), of(remaining)}),
            "PacketTooShort");
    event(at, EventKind::ParserExtract, {"_", ""}, {number(bits)});
    emit(at, PacketAdvance{Operand::constant(32, bits)});
    return;
  }
  const ast::Expression& destination = *target.arguments[0].value;
  LValue header = lvalue(destination);
  if (target.arguments.size() > 1 && target.arguments[1].value != nullptr)
    varbit_bits = resize(at, evaluate(*target.arguments[1].value).scalar, 32, false);
  if (header.candidates.empty() || header.candidates.front().place.valid.width == 0) {
    unsupported(at, fmt::format("extract into a value of type {}", to_string(header.type)));
    return;
  }
  extract_into(at, header, varbit_bits);
  advance_next(destination);
}

// Every `.next` on the way to what was extracted: `hdr.stack.next`, `hdr.unions.next.member`.
void Lowering::advance_next(const ast::Expression& destination) {
  const Span& at = destination.span;
  if (const auto* element = ast::dyn_cast<ast::Index>(&destination)) return advance_next(*element->object);
  const auto* member = ast::dyn_cast<ast::Member>(&destination);
  if (member == nullptr) return;
  advance_next(*member->object);
  if (member->member.text != "next" || !representation(type_of(*member->object))->is(TypeKind::Stack)) return;
  for (const LValue::Candidate& stack : lvalue(*member->object).candidates) {
    Operand moved = compute(at, Op::Add, 32, {stack.place.next_index, Operand::constant(32, 1)});
    if (stack.guard) moved = compute(at, Op::Choose, 32, {*stack.guard, moved, stack.place.next_index});
    assign(at, stack.place.next_index.slot, moved);
  }
}

void Lowering::extract_into(const Span& at, const LValue& header, const std::optional<Operand>& varbit_bits) {
  const Type* type = representation(resolve(header.type));
  std::uint32_t fixed = 0;
  std::uint32_t varbit_max = 0;
  for (const FieldType& field : typed_.types().fields(type)) {
    if (representation(field.type)->is(TypeKind::Varbit))
      varbit_max = scalar_width(field.type);
    else
      fixed += data_bits(typed_.types(), field.type);
  }
  Operand total = Operand::constant(32, fixed);
  SlotId remaining = new_temporary(32);
  if (varbit_bits) {
    Operand odd = compute(at, Op::And, 32, {*varbit_bits, Operand::constant(32, 7)});
    require(at, compute(at, Op::Equal, 1, {odd, Operand::constant(32, 0)}), "ParserInvalidArgument");
    // In 64 bits, where the sum cannot wrap.
    Operand wide =
        compute(at, Op::Add, 64, {resize(at, *varbit_bits, 64, false), Operand::constant(64, fixed)});
    emit(at, PacketRemaining{remaining});
    require(at, compute(at, Op::LessEqual, 1, {wide, resize(at, of(remaining), 64, false)}),
            "PacketTooShort");
    require(at, compute(at, Op::LessEqual, 1, {*varbit_bits, Operand::constant(32, varbit_max)}),
            "HeaderTooShort");
    total = compute(at, Op::Add, 32, {*varbit_bits, Operand::constant(32, fixed)});
  } else {
    emit(at, PacketRemaining{remaining});
    require(at, compute(at, Op::LessEqual, 1, {total, of(remaining)}), "PacketTooShort");
  }
  const bool direct = header.candidates.size() == 1 && !header.candidates.front().guard;
  Value read_value = zero_value(type);
  for (std::size_t i = 0; i < read_value.parts.size(); ++i) {
    const auto read_scalar = [&](Value& value, const Value& place, const auto& self) -> void {
      if (value.scalar.width == 0) {
        for (std::size_t j = 0; j < value.parts.size(); ++j) self(value.parts[j], place.parts.at(j), self);
        return;
      }
      SlotId to = direct ? place.scalar.slot : new_temporary(value.scalar.width);
      if (value.length.width != 0) {
        Operand bits = varbit_bits.value_or(Operand::constant(32, 0));
        emit(at, PacketReadVarbit{to, bits});
        value.length = bits;
      } else {
        emit(at, PacketRead{to});
      }
      value.scalar = of(to);
    };
    read_scalar(read_value.parts[i], header.candidates.front().place.parts.at(i), read_scalar);
  }
  read_value.valid = Operand::constant(1, 1);
  std::string name;
  for (const HeaderInstance& instance : program_->headers)
    if (instance.valid == header.candidates.front().place.valid.slot) name = instance.name;
  event(at, EventKind::ParserExtract, {direct ? name : name.substr(0, name.rfind('[')), ""},
        {resize(at, total, 64, false)});
  write(at, header, read_value);
}

}  // namespace perfpact::p4::core
