// The extern functions and objects of core.p4 and v1model.p4.
#include "base/check.h"
#include "base/spelling.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {

using program::EventKind;

const std::map<std::string_view, Lowering::ExternHandler, std::less<>>& Lowering::extern_functions() {
  static const std::map<std::string_view, ExternHandler, std::less<>> handlers = {
      {"verify", &Lowering::extern_verify},
      {"mark_to_drop", &Lowering::extern_mark_to_drop},
      {"verify_checksum", &Lowering::extern_verify_checksum},
      {"update_checksum", &Lowering::extern_update_checksum},
      {"verify_checksum_with_payload", &Lowering::extern_verify_checksum_payload},
      {"update_checksum_with_payload", &Lowering::extern_update_checksum_payload},
      {"hash", &Lowering::extern_hash},
      {"random", &Lowering::extern_random},
      {"digest", &Lowering::extern_digest},
      {"truncate", &Lowering::extern_truncate},
      {"assert", &Lowering::extern_assert},
      {"assume", &Lowering::extern_assert},
      {"log_msg", &Lowering::extern_log},
      {"static_assert", &Lowering::extern_log},
      {"clone", &Lowering::extern_clone},
      {"clone_preserving_field_list", &Lowering::extern_clone},
      {"resubmit_preserving_field_list", &Lowering::extern_resubmit},
      {"recirculate_preserving_field_list", &Lowering::extern_recirculate},
  };
  return handlers;
}

Value Lowering::call_extern_function(const ast::Call& call, const CallTarget& target) {
  auto handler = extern_functions().find(target.declaration->name.text);
  if (handler != extern_functions().end()) return (this->*handler->second)(call, target);
  unsupported(call.span, fmt::format("the extern function '{}'", target.declaration->name.text));
  return zero_value(type_of(call));
}

Value Lowering::call_extern_method(const ast::Call& call, const CallTarget& target) {
  const std::string& method = target.declaration->name.text;
  const Type* receiver = resolve(typed_.type_of(*target.receiver));
  const std::string& type = receiver->declaration->name.text;
  if (type == "packet_in") return packet_in_call(call, target, method);
  if (type == "packet_out") {
    const ast::Expression& value = *target.arguments.at(0).value;
    emit_headers(call.span, evaluate(value), to_source(value));
    return zero_value(type_of(call));
  }
  Value nothing = zero_value(type_of(call));
  Instance* instance = instance_of(*target.receiver);
  if (instance == nullptr) return nothing;
  const Span& at = call.span;
  if (type == "register") {
    call_register(call, target, *instance, method);
  } else if (type == "counter" && method == "count") {
    Operand cell = resize(at, scalar(*target.arguments.at(0).value), 64, false);
    event(at, EventKind::Counter, {instance->name}, {});
    emit(at, Count{*instance->object, cell});
  } else if (type == "Checksum16" && method == "get") {
    const auto items = data_items(*target.arguments.at(0).value);
    event(at, EventKind::Checksum, {}, {data_bits_of(at, items)});
    SlotId to = new_temporary(16);
    emit(at, Hash{HashAlgorithm::Csum16, to, items, false});
    nothing.scalar = of(to);
  } else if (type == "direct_counter") {
    // Its table counts, whether this is called or not.
  } else if ((type == "meter" && method == "execute_meter") || (type == "direct_meter" && method == "read")) {
    const bool direct = type == "direct_meter";
    Operand cell = direct ? number(0) : resize(at, scalar(*target.arguments.at(0).value), 64, false);
    SlotId colour = new_temporary(2);
    event(at, EventKind::Meter, {instance->name}, {});
    emit(at, Meter{*instance->object, cell, colour});
    const std::size_t position = direct ? 0 : 1;
    Value result = zero_value(target.arguments.at(position).type);
    result.scalar = resize(at, of(colour), result.scalar.width, false);
    write_back(at, target, position, result);
  } else {
    unsupported(at, fmt::format("{}.{}", type, method));
  }
  return nothing;
}

void Lowering::write_back(const Span& at, const CallTarget& target, std::size_t argument,
                          const Value& value) {
  const ast::Expression* expression = target.arguments.at(argument).value;
  if (expression == nullptr) return;
  LValue place = lvalue(*expression);
  write(at, place, convert(at, value, place.type));
}

void Lowering::call_register(const ast::Call& call, const CallTarget& target, Instance& instance,
                             std::string_view method) {
  const Span& at = call.span;
  const bool is_read = method == "read";
  const std::size_t value_argument = is_read ? 0 : 1;
  const std::size_t index_argument = is_read ? 1 : 0;
  const std::uint32_t width = program_->objects[index(*instance.object)].width;
  const Type* cell_type = resolve(target.arguments.at(value_argument).type);
  if (is_read) {
    const ast::Expression* destination = target.arguments[0].value;
    if (destination == nullptr) return;
    LValue place = lvalue(*destination);
    Operand cell = resize(at, scalar(*target.arguments[index_argument].value), 64, false);
    event(at, EventKind::RegisterRead, {instance.name}, {number(width)});
    // Out of bounds the destination keeps what it has.
    Value value = convert(at, read(at, place), cell_type);
    SlotId to = new_temporary(width);
    assign(at, to, pack(at, value));
    emit(at, RegisterRead{*instance.object, cell, to});
    std::uint32_t low = 0;
    write(at, place, convert(at, unpack(at, cell_type, of(to), low), place.type));
    return;
  }
  Operand cell = resize(at, scalar(*target.arguments[index_argument].value), 64, false);
  Value value = convert(at, evaluate(*target.arguments[value_argument].value), cell_type);
  event(at, EventKind::RegisterWrite, {instance.name}, {number(width)});
  emit(at, RegisterWrite{*instance.object, cell, pack(at, value)});
}

Operand Lowering::pack(const Span& at, const Value& value) {
  if (value.length.width != 0 || value.valid.width != 0)
    unsupported(at, fmt::format("a register of {}", to_string(value.type)));
  Operand packed = value.scalar;
  for (const Value& part : value.parts) {
    Operand next = pack(at, part);
    packed = packed.width == 0 ? next : compute(at, Op::Concat, packed.width + next.width, {packed, next});
  }
  return packed;
}

Value Lowering::unpack(const Span& at, const Type* type, const Operand& packed, std::uint32_t& low) {
  Value value = zero_value(type);
  for (std::size_t i = value.parts.size(); i-- > 0;)
    value.parts[i] = unpack(at, value.parts[i].type, packed, low);
  if (const std::uint32_t width = value.scalar.width; width != 0) {
    value.scalar =
        width == packed.width ? packed : compute(at, Op::Extract, width, {packed}, low + width - 1, low);
    low += width;
  }
  return value;
}

void Lowering::emit_headers(const Span& at, const Value& value, const std::string& name) {
  const Type* shape = representation(value.type);
  if (shape->is(TypeKind::Header)) {
    std::string shown = name;
    for (const HeaderInstance& instance : program_->headers)
      if (!value.valid.is_constant && instance.valid == value.valid.slot) shown = instance.name;
    when(at, value.valid, false, [&] {
      Operand bits = number(0);
      for (const Value& field : value.parts) {
        Operand width = number(data_bits(typed_.types(), field.type));
        if (field.length.width != 0) width = resize(at, field.length, 64, false);
        if (bits.is_constant && width.is_constant)
          bits.value += width.value;
        else
          bits = compute(at, Op::Add, 64, {bits, width});
      }
      event(at, EventKind::DeparserEmit, {shown, ""}, {bits});
      for (const Value& field : value.parts) emit_fields(at, field);
    });
    return;
  }
  if (value.parts.empty() && !shape->is(TypeKind::Struct) && !shape->is(TypeKind::Stack)) {
    unsupported(at, fmt::format("emit of a value of type {}", to_string(value.type)));
    return;
  }
  for (std::size_t i = 0; i < value.parts.size(); ++i)
    emit_headers(at, value.parts[i], fmt::format("{}.{}", name, i));
}

void Lowering::emit_fields(const Span& at, const Value& field) {
  if (field.length.width != 0)
    emit(at, PacketEmitVarbit{field.scalar, field.length});
  else if (field.scalar.width != 0)
    emit(at, PacketEmit{field.scalar});
  for (const Value& part : field.parts) emit_fields(at, part);
}

// ---- hashes and checksums ----

void Lowering::append_data(const Value& value, Operand valid, std::vector<DataItem>& items) {
  if (value.valid.width != 0) valid = value.valid;
  if (value.scalar.width != 0) {
    Operand length = value.length.width != 0 ? value.length : Operand::constant(32, value.scalar.width);
    items.push_back({value.scalar, length, valid});
  }
  for (const Value& part : value.parts) append_data(part, valid, items);
}

std::vector<DataItem> Lowering::data_items(const ast::Expression& expression) {
  std::vector<DataItem> items;
  const Operand always = Operand::constant(1, 1);
  std::vector<const ast::Expression*> elements;
  if (const auto* list = ast::dyn_cast<ast::List>(&expression))
    elements.assign(list->elements.begin(), list->elements.end());
  else if (const auto* fields = ast::dyn_cast<ast::StructLiteral>(&expression))
    for (const auto& field : fields->fields) elements.push_back(field.second);
  if (elements.empty()) {
    // A field of an invalid header is left out, as the reference switch does.
    Operand valid = always;
    if (const auto* member = ast::dyn_cast<ast::Member>(&expression);
        member != nullptr && is_pure(*member->object) && !ast::isa<ast::TypeName>(member->object) &&
        representation(type_of(*member->object))->is(TypeKind::Header))
      valid = evaluate(*member->object).valid;
    append_data(evaluate(expression), valid, items);
    return items;
  }
  for (const ast::Expression* element : elements) {
    auto inner = data_items(*element);
    items.insert(items.end(), inner.begin(), inner.end());
  }
  return items;
}

Operand Lowering::data_bits_of(const Span& at, const std::vector<DataItem>& items) {
  Operand sum = number(0);
  std::map<SlotId, std::uint64_t> guarded;  // validity slot -> fixed bits
  for (const DataItem& item : items) {
    if (!item.length.is_constant) {
      Operand length = resize(at, item.length, 64, false);
      sum = compute(at, Op::Add, 64, {sum, compute(at, Op::Choose, 64, {item.valid, length, number(0)})});
    } else if (!item.valid.is_constant) {
      guarded[item.valid.slot] += item.length.value.convert_to<std::uint64_t>();
    } else if (item.valid.value != 0 && sum.is_constant) {
      sum.value += item.length.value;
    } else if (item.valid.value != 0) {
      sum = compute(at, Op::Add, 64, {sum, resize(at, item.length, 64, false)});
    }
  }
  for (const auto& [valid, bits] : guarded)
    sum = compute(at, Op::Add, 64, {sum, compute(at, Op::Choose, 64, {of(valid), number(bits), number(0)})});
  return sum;
}

std::optional<HashAlgorithm> Lowering::hash_algorithm(const ast::Expression& expression) {
  static const std::map<std::string_view, HashAlgorithm> algorithms = {
      {"crc32", HashAlgorithm::Crc32},   {"crc32_custom", HashAlgorithm::Crc32Custom},
      {"crc16", HashAlgorithm::Crc16},   {"crc16_custom", HashAlgorithm::Crc16Custom},
      {"random", HashAlgorithm::Random}, {"identity", HashAlgorithm::Identity},
      {"csum16", HashAlgorithm::Csum16}, {"xor16", HashAlgorithm::Xor16}};
  if (auto known = constant(expression))
    if (const auto* member = std::get_if<const ast::EnumMember*>(&known->value))
      if (auto found = algorithms.find((*member)->name.text); found != algorithms.end()) return found->second;
  diagnostics_.report(diag::kNotConstant, expression.span, "the hash algorithm");
  return std::nullopt;
}

Value Lowering::call_checksum(const ast::Call& call, const CallTarget& target, bool update, bool payload) {
  const Span& at = call.span;
  Value nothing = zero_value(type_of(call));
  auto algorithm = hash_algorithm(*target.arguments.at(3).value);
  if (!algorithm) return nothing;
  when(at, scalar(*target.arguments[0].value), true, [&] {
    const auto items = data_items(*target.arguments[1].value);
    Operand bits = data_bits_of(at, items);
    if (payload) {
      SlotId remaining = new_temporary(32);
      emit(at, PacketRemaining{remaining});
      bits = compute(at, Op::Add, 64, {bits, resize(at, of(remaining), 64, false)});
    }
    event(at, EventKind::Checksum, {}, {bits});
    const ast::Expression& checksum = *target.arguments[2].value;
    Value value = zero_value(target.arguments[2].type);
    SlotId to = new_temporary(value.scalar.width);
    emit(at, Hash{*algorithm, to, items, payload});
    value.scalar = of(to);
    if (update) {
      write_back(at, target, 2, value);
    } else {
      Operand wrong =
          compute(at, Op::NotEqual, 1, {value.scalar, convert(at, evaluate(checksum), value.type).scalar});
      set_metadata(at, "checksum_error", bool_or(at, metadata("checksum_error"), wrong));
    }
  });
  return nothing;
}

Value Lowering::extern_verify_checksum(const ast::Call& call, const CallTarget& target) {
  return call_checksum(call, target, false, false);
}
Value Lowering::extern_update_checksum(const ast::Call& call, const CallTarget& target) {
  return call_checksum(call, target, true, false);
}
Value Lowering::extern_verify_checksum_payload(const ast::Call& call, const CallTarget& target) {
  return call_checksum(call, target, false, true);
}
Value Lowering::extern_update_checksum_payload(const ast::Call& call, const CallTarget& target) {
  return call_checksum(call, target, true, true);
}

// hash(out result, algorithm, base, data, max): base + H(data) mod max; max 0 gives base.
Value Lowering::extern_hash(const ast::Call& call, const CallTarget& target) {
  const Span& at = call.span;
  Value nothing = zero_value(type_of(call));
  auto algorithm = hash_algorithm(*target.arguments.at(1).value);
  if (!algorithm || target.arguments[0].value == nullptr) return nothing;
  Value result = zero_value(target.arguments[0].type);
  const std::uint32_t width = std::max<std::uint32_t>(64, result.scalar.width);
  Operand base = resize(at, evaluate(*target.arguments[2].value).scalar, width, false);
  const auto items = data_items(*target.arguments[3].value);
  Operand max = resize(at, evaluate(*target.arguments[4].value).scalar, width, false);
  event(at, EventKind::Hash, {to_source(*target.arguments[1].value)}, {data_bits_of(at, items)});
  SlotId hashed = new_temporary(64);
  emit(at, Hash{*algorithm, hashed, items, false});
  // Mod by zero is 0, so that max = 0 gives base.
  Operand offset = compute(at, Op::Mod, width, {resize(at, of(hashed), width, false), max});
  result.scalar = resize(at, compute(at, Op::Add, width, {base, offset}), result.scalar.width, false);
  write_back(at, target, 0, result);
  return nothing;
}

// ---- the rest of v1model's functions ----

Value Lowering::extern_verify(const ast::Call& call, const CallTarget& target) {
  const Span& at = call.span;
  Value nothing = zero_value(type_of(call));
  if (!context_.reject) {
    unsupported(at, "verify outside a parser's states");
    return nothing;
  }
  Operand condition = scalar(*target.arguments.at(0).value);
  Operand error = scalar(*target.arguments.at(1).value);
  BlockId ok = new_block();
  BlockId failed = new_block();
  branch(at, condition, ok, failed, true);
  enter(failed);
  assign(at, parser_error_, error);
  jump(at, *context_.reject);
  enter(ok);
  return nothing;
}

Value Lowering::extern_mark_to_drop(const ast::Call& call, const CallTarget& target) {
  const Span& at = call.span;
  event(at, EventKind::Assign, {}, {number(9 + 16)});
  const auto drop = [&](const Value& standard) {
    assign(at, find_field(standard, "egress_spec")->scalar.slot, Operand::constant(9, 511));
    assign(at, find_field(standard, "mcast_grp")->scalar.slot, Operand::constant(16, 0));
  };
  if (target.arguments.empty())
    drop(standard_metadata_);  // the deprecated form without an argument
  else
    for (const LValue::Candidate& candidate : lvalue(*target.arguments[0].value).candidates)
      drop(candidate.place);
  return zero_value(type_of(call));
}

Value Lowering::extern_random(const ast::Call& call, const CallTarget& target) {
  const Span& at = call.span;
  Value result = zero_value(target.arguments.at(0).type);
  Value low = convert(at, evaluate(*target.arguments[1].value), result.type);
  Value high = convert(at, evaluate(*target.arguments[2].value), result.type);
  event(at, EventKind::Random, {}, {number(result.scalar.width)});
  SlotId to = new_temporary(result.scalar.width);
  emit(at, Random{to, low.scalar, high.scalar});
  result.scalar = of(to);
  write_back(at, target, 0, result);
  return zero_value(type_of(call));
}

Value Lowering::extern_digest(const ast::Call& call, const CallTarget& target) {
  event(call.span, EventKind::Digest, {},
        {data_bits_of(call.span, data_items(*target.arguments.at(1).value))});
  return zero_value(type_of(call));
}

Value Lowering::extern_truncate(const ast::Call& call, const CallTarget& target) {
  emit(call.span, PacketTruncate{resize(call.span, scalar(*target.arguments.at(0).value), 32, false)});
  return zero_value(type_of(call));
}

Value Lowering::extern_assert(const ast::Call& call, const CallTarget& target) {
  Operand failed = bool_not(call.span, scalar(*target.arguments.at(0).value));
  when(call.span, failed, true, [&] {
    emit(call.span, Fail{target.declaration->name.text + " failed"});
    jump(call.span, context_.epilogue);
  });
  return zero_value(type_of(call));
}

// log_msg and static_assert cost nothing and change nothing; their arguments are evaluated.
Value Lowering::extern_log(const ast::Call& call, const CallTarget& target) {
  for (const BoundArgument& argument : target.arguments)
    if (argument.value != nullptr && !is_pure(*argument.value)) evaluate(*argument.value);
  return zero_value(type_of(call));
}

Value Lowering::extern_clone(const ast::Call& call, const CallTarget& target) {
  const Span& at = call.span;
  Value nothing = zero_value(type_of(call));
  auto type = constant(*target.arguments.at(0).value);
  const auto* member = type ? std::get_if<const ast::EnumMember*>(&type->value) : nullptr;
  if (member == nullptr) {
    diagnostics_.report(diag::kNotConstant, at, "the clone type");
    return nothing;
  }
  Request& request = (*member)->name.text == "I2E" ? clone_ingress_ : clone_egress_;
  Operand session = resize(at, scalar(*target.arguments.at(1).value), 32, false);
  event(at, EventKind::Clone, {}, {});
  ask(at, request, session, target.arguments.size() > 2 ? target.arguments[2].value : nullptr);
  return nothing;
}

Value Lowering::extern_resubmit(const ast::Call& call, const CallTarget& target) {
  event(call.span, EventKind::Resubmit, {}, {});
  ask(call.span, resubmit_, Operand::constant(32, 0), target.arguments.at(0).value);
  return zero_value(type_of(call));
}

Value Lowering::extern_recirculate(const ast::Call& call, const CallTarget& target) {
  event(call.span, EventKind::Recirculate, {}, {});
  ask(call.span, recirculate_, Operand::constant(32, 0), target.arguments.at(0).value);
  return zero_value(type_of(call));
}

}  // namespace perfpact::p4::core
