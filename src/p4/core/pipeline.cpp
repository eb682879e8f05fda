// v1model's pipeline as core code: parser, checksum verification, ingress, traffic manager, egress, checksum
// update, deparser, and the further passes that clone, resubmit, recirculate and multicast ask for. The order
// of decisions is the reference switch's: after ingress clone, resubmit, multicast, drop, unicast; after
// egress clone, drop, deparse, recirculate, send.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {

using program::EventKind;

namespace {

constexpr std::uint64_t kDropPort = 511;
constexpr std::uint64_t kNoFieldList = 256;  // field lists are bit<8>

// V1Switch's parameters.
constexpr std::size_t kParser = 0;
constexpr std::size_t kVerify = 1;
constexpr std::size_t kIngress = 2;
constexpr std::size_t kEgress = 3;
constexpr std::size_t kCompute = 4;
constexpr std::size_t kDeparser = 5;

}  // namespace

Operand Lowering::metadata(std::string_view field) {
  const Value* value = find_field(standard_metadata_, field);
  PERFPACT_CHECK(value != nullptr, "standard_metadata_t has no field {}", field);
  return value->scalar;
}

void Lowering::set_metadata(const Span& at, std::string_view field, const Operand& value) {
  assign(at, metadata(field).slot, value);
}

bool Lowering::make_pipeline_places() {
  const ast::Instance* main = typed_.main();
  if (main == nullptr) {
    diagnostics_.report(diag::kNoMain, Span{});
    return false;
  }
  const CallTarget* target = typed_.call(*main);
  PERFPACT_CHECK(target != nullptr, "main was not checked");
  if (target->declaration->name.text != "V1Switch" || target->arguments.size() != 6) {
    unsupported(main->span, fmt::format("the architecture of package '{}' (only V1Switch)",
                                        target->declaration->name.text));
    return false;
  }
  main_ = make_instance(*target, "main", main->span);
  Instance* part = pipeline_part(kParser);
  const auto* parser = part == nullptr ? nullptr : ast::dyn_cast<ast::Parser>(part->target->declaration);
  if (parser == nullptr || parser->parameters.size() != 4) {
    unsupported(main->span, "a pipeline whose first part is no parser of this program");
    return false;
  }
  Frame types;
  for (std::size_t i = 0; i < parser->type_parameters.size() && i < part->type->arguments.size(); ++i)
    types.types[parser->type_parameters[i]] = part->type->arguments[i];
  context_.frame = &types;
  const auto place = [&](std::size_t i) {
    const ast::Declaration& parameter = *parser->parameters[i];
    return make_place(typed_.type_of(parameter), parameter.name.text);
  };
  headers_ = place(1);
  metadata_ = place(2);
  standard_metadata_ = place(3);
  context_.frame = global_;
  parser_error_ = metadata("parser_error").slot;
  for (auto [request, name] : {std::pair{&clone_ingress_, "clone_ingress"},
                               {&clone_egress_, "clone_egress"},
                               {&resubmit_, "resubmit"},
                               {&recirculate_, "recirculate"}}) {
    request->wanted = new_slot(fmt::format("${}.wanted", name), 1);
    request->session = new_slot(fmt::format("${}.session", name), 32);
    request->field_list = new_slot(fmt::format("${}.field_list", name), 32);
  }
  return true;
}

Instance* Lowering::pipeline_part(std::size_t argument) {
  const BoundArgument& bound = main_->target->arguments.at(argument);
  auto found = main_->arguments.find(bound.parameter);
  if (found == main_->arguments.end()) return nullptr;
  auto* instance = std::get_if<Instance*>(&found->second);
  return instance == nullptr ? nullptr : *instance;
}

void Lowering::call_part(std::size_t argument) {
  Instance* part = pipeline_part(argument);
  if (part == nullptr) {
    unsupported(main_->at, fmt::format("part {} of the pipeline", argument + 1));
    return;
  }
  const Span at = part->at;
  if (!part->procedure) {
    Value packet;
    Places places;
    switch (argument) {
      case kParser:
        places = {packet, headers_, metadata_, standard_metadata_};
        break;
      case kVerify:
      case kCompute:
        places = {headers_, metadata_};
        break;
      case kDeparser:
        places = {packet, headers_};
        break;
      default:
        places = {headers_, metadata_, standard_metadata_};
    }
    const auto* control = ast::dyn_cast<ast::Control>(part->target->declaration);
    const auto* parser = ast::dyn_cast<ast::Parser>(part->target->declaration);
    if (control == nullptr && parser == nullptr) {
      unsupported(at, fmt::format("'{}' as a part of the pipeline", part->target->declaration->name.text));
      return;
    }
    const auto& parameters = control != nullptr ? control->parameters : parser->parameters;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i]->type == nullptr)
        places[i]->type = typed_.type_of(*static_cast<const ast::Declaration*>(parameters.at(i)));
    if (argument == kParser)
      lower_parser(*part, places);
    else
      lower_control(*part, places);
  }
  if (!part->procedure) return;
  assign(at, exited_, Operand::constant(1, 0));
  emit(at, Call{*part->procedure});
}

bool Lowering::lower_pipeline() {
  if (!make_pipeline_places()) return false;
  ingress_body_ = declare_procedure("v1model.ingress");
  egress_body_ = declare_procedure("v1model.egress");
  clone_body_ = declare_procedure("v1model.clone");
  program_->entry = pass(PassKind::Normal, ingress_body_);
  resubmit_pass_ = pass(PassKind::Resubmit, ingress_body_);
  recirculate_pass_ = pass(PassKind::Recirculate, ingress_body_);
  replica_pass_ = pass(PassKind::Replica, egress_body_);
  clone_ingress_pass_ = pass(PassKind::CloneIngress, clone_body_);
  clone_egress_pass_ = pass(PassKind::CloneEgress, egress_body_);
  lower_ingress_pass();
  lower_egress_pass();
  lower_clone_pass();
  program_->ingress_port = metadata("ingress_port").slot;
  program_->packet_length = metadata("packet_length").slot;
  program_->instance_type = metadata("instance_type").slot;
  program_->parser_error = parser_error_;
  return true;
}

ProcedureId Lowering::pass(PassKind kind, ProcedureId body) {
  Context saved;
  ProcedureId id = begin_procedure(fmt::format("pass.{}", to_string(kind)), global_, saved);
  const Span& at = main_->at;
  event(at, EventKind::Start, {std::string(to_string(kind))}, {});
  set_metadata(at, "instance_type", Operand::constant(32, instance_type(kind)));
  emit(at, Call{body});
  end_procedure(saved);
  return id;
}

void Lowering::lower_ingress_pass() {
  Context saved;
  open_procedure(ingress_body_, global_, saved);
  call_part(kParser);
  call_part(kVerify);
  call_part(kIngress);
  traffic_manager(main_->at);
  end_procedure(saved);
}

void Lowering::lower_clone_pass() {
  Context saved;
  open_procedure(clone_body_, global_, saved);
  call_part(kParser);
  emit(main_->at, Call{egress_body_});
  end_procedure(saved);
}

void Lowering::for_field_lists(const Span& at, const Request& request,
                               const std::function<void(std::uint64_t)>& body) {
  for (std::uint64_t id : request.field_lists) {
    Operand same = compute(at, Op::Equal, 1, {of(request.field_list), Operand::constant(32, id)});
    when(at, same, false, [&] { body(id); });
  }
}

void Lowering::traffic_manager(const Span& at) {
  const auto end = [&] { jump(at, context_.epilogue); };
  if (!clone_ingress_.field_lists.empty())
    when(at, of(clone_ingress_.wanted), true, [&] {
      for_field_lists(at, clone_ingress_, [&](std::uint64_t id) {
        std::vector<SlotId> keep = kept_by_field_list(id);
        keep.push_back(metadata("ingress_port").slot);
        keep.push_back(metadata("packet_length").slot);
        emit(at, EnqueueClone{of(clone_ingress_.session),
                              PassKind::CloneIngress,
                              clone_ingress_pass_,
                              true,
                              keep,
                              {},
                              metadata("egress_port").slot,
                              metadata("egress_rid").slot});
      });
    });
  if (!resubmit_.field_lists.empty())
    when(at, of(resubmit_.wanted), true, [&] {
      for_field_lists(at, resubmit_, [&](std::uint64_t id) {
        std::vector<SlotId> keep =
            kept_by_field_list(id);  // not the ingress port, as in the reference switch
        keep.push_back(metadata("packet_length").slot);
        emit(at, Enqueue{PassKind::Resubmit, resubmit_pass_, true, keep, {}});
      });
      end();
    });
  Operand group = metadata("mcast_grp");
  when(at, compute(at, Op::NotEqual, 1, {group, Operand::constant(group.width, 0)}), true, [&] {
    emit(at, EnqueueGroup{group,
                          replica_pass_,
                          pipeline_slots(true),
                          {},
                          metadata("egress_port").slot,
                          metadata("egress_rid").slot});
    end();
  });
  Operand port = metadata("egress_spec");
  when(at, compute(at, Op::Equal, 1, {port, Operand::constant(port.width, kDropPort)}), true, [&] {
    event(at, EventKind::Drop, {}, {});
    emit(at, DropPacket{});
    end();
  });
  set_metadata(at, "egress_port", port);
  emit(at, Call{egress_body_});
}

void Lowering::lower_egress_pass() {
  Context saved;
  open_procedure(egress_body_, global_, saved);
  const Span& at = main_->at;
  // Whatever ingress chose, the packet is dropped only if egress says so.
  Operand spec = metadata("egress_spec");
  set_metadata(at, "egress_spec", Operand::constant(spec.width, 0));
  // A clone of a clone, or a recirculation, is asked for anew.
  for (const Request* request : {&clone_egress_, &recirculate_})
    assign(at, request->wanted, Operand::constant(1, 0));
  call_part(kEgress);
  if (!clone_egress_.field_lists.empty())
    when(at, of(clone_egress_.wanted), true, [&] {
      for_field_lists(at, clone_egress_, [&](std::uint64_t id) {
        std::vector<SlotId> keep = kept_by_field_list(id);
        collect_slots(headers_, keep);
        keep.push_back(metadata("packet_length").slot);
        emit(at, EnqueueClone{of(clone_egress_.session),
                              PassKind::CloneEgress,
                              clone_egress_pass_,
                              false,
                              keep,
                              {},
                              metadata("egress_port").slot,
                              metadata("egress_rid").slot});
      });
    });
  when(at, compute(at, Op::Equal, 1, {spec, Operand::constant(spec.width, kDropPort)}), true, [&] {
    event(at, EventKind::Drop, {}, {});
    emit(at, DropPacket{});
    jump(at, context_.epilogue);
  });
  call_part(kCompute);
  call_part(kDeparser);
  emit(at, PacketCommit{});
  if (!recirculate_.field_lists.empty())
    when(at, of(recirculate_.wanted), true, [&] {
      for_field_lists(at, recirculate_, [&](std::uint64_t id) {
        std::vector<SlotId> keep = kept_by_field_list(id);
        keep.push_back(metadata("packet_length").slot);
        emit(at, PacketLength{metadata("packet_length").slot});
        emit(at, Enqueue{PassKind::Recirculate, recirculate_pass_, false, keep, {}});
      });
      jump(at, context_.epilogue);
    });
  Operand port = metadata("egress_port");
  event(at, EventKind::Send, {}, {resize(at, port, 64, false)});
  emit(at, SendPacket{port});
  end_procedure(saved);
}

std::vector<SlotId> Lowering::pipeline_slots(bool with_headers) {
  std::vector<SlotId> slots;
  if (with_headers) collect_slots(headers_, slots);
  collect_slots(metadata_, slots);
  collect_slots(standard_metadata_, slots);
  return slots;
}

std::vector<SlotId> Lowering::kept_by_field_list(std::uint64_t field_list) {
  std::vector<SlotId> slots;
  if (field_list != kNoFieldList) collect_field_list(metadata_, field_list, slots);
  return slots;
}

// `@field_list(1, Lists.a)`: numbers, constants, members of serializable enums.
bool Lowering::lists_field(const ast::Annotations& annotations, std::uint64_t field_list) {
  const ast::Annotation* annotation = find_annotation(annotations, "field_list");
  if (annotation == nullptr) return false;
  std::string text = annotation->body;
  for (const ast::Expression* expression : annotation->expressions) text += "," + to_source(*expression);
  text += ',';
  std::string name;
  for (char c : text) {
    if (c == ',') {
      const auto value = constant_named(name);
      if (value && *value == field_list) return true;
      if (!value && !name.empty())
        diagnostics_.report(diag::kNotConstant, annotation->span, "the index of a field list");
      name.clear();
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      name += c;
    }
  }
  return false;
}

std::optional<Integer> Lowering::constant_named(const std::string& name) {
  if (auto number = parse_integer(name)) return number;
  const auto value = [&](const ast::Declaration& declaration) -> std::optional<Integer> {
    const Constant* known = typed_.value_of(declaration);
    if (known == nullptr || known->integer() == nullptr) return std::nullopt;
    return *known->integer();
  };
  for (const ast::Declaration* declaration : typed_.ast().declarations) {
    if (declaration->name.text == name && ast::isa<ast::Constant>(declaration)) return value(*declaration);
    if (const auto* enumeration = ast::dyn_cast<ast::Enum>(declaration))
      for (const ast::EnumMember* member : enumeration->members)
        if (enumeration->name.text + "." + member->name.text == name) return value(*member);
  }
  return std::nullopt;
}

void Lowering::collect_field_list(const Value& place, std::uint64_t field_list, std::vector<SlotId>& slots) {
  const auto* declaration = ast::dyn_cast_or_null<ast::Struct>(place.type->declaration);
  if (declaration == nullptr) return;
  for (std::size_t i = 0; i < declaration->fields.size(); ++i) {
    if (lists_field(declaration->fields[i]->annotations, field_list))
      collect_slots(place.parts.at(i), slots);
    else
      collect_field_list(place.parts.at(i), field_list, slots);
  }
}

void Lowering::ask(const Span& at, Request& request, const Operand& session,
                   const ast::Expression* field_list) {
  std::uint64_t id = kNoFieldList;
  if (field_list != nullptr) {
    auto known = constant_u64(*field_list);
    if (!known) {
      diagnostics_.report(diag::kNotConstant, field_list->span, "the index of a field list");
      return;
    }
    id = *known;
  }
  request.field_lists.insert(id);
  assign(at, request.wanted, Operand::constant(1, 1));
  assign(at, request.session, session);
  assign(at, request.field_list, Operand::constant(32, id));
}

}  // namespace perfpact::p4::core
