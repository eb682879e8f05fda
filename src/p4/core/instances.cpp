// Instances of externs, parsers and controls, and the frames their bodies are lowered in.
#include "base/check.h"
#include "p4/core/lowering.h"

namespace perfpact::p4::core {
namespace {

std::optional<ObjectKind> object_kind(std::string_view extern_name) {
  if (extern_name == "register") return ObjectKind::Register;
  if (extern_name == "counter" || extern_name == "direct_counter") return ObjectKind::Counter;
  if (extern_name == "meter" || extern_name == "direct_meter") return ObjectKind::Meter;
  return std::nullopt;
}

}  // namespace

std::string Lowering::control_plane_name_in(const Frame* frame, const ast::Declaration& declaration) {
  std::string name = annotation_string(declaration.annotations, "name");
  if (name.empty()) name = declaration.name.text;
  if (name.size() > 1 && name.front() == '.') return name.substr(1);
  return frame == nullptr ? name : frame->prefix + name;
}

std::string Lowering::control_plane_name(const ast::Declaration& declaration) const {
  return control_plane_name_in(context_.frame, declaration);
}

Binding* Lowering::find_binding(const ast::Declaration& declaration) {
  for (Frame* frame = context_.frame; frame != nullptr; frame = frame->parent)
    if (auto found = frame->bindings.find(&declaration); found != frame->bindings.end())
      return &found->second;
  return nullptr;
}

Instance* Lowering::make_instance(const CallTarget& target, const std::string& name, const Span& at) {
  Instance& instance = instances_.emplace_back();
  instance.target = &target;
  instance.type = resolve(target.type);
  instance.name = name;
  instance.at = at;
  for (const BoundArgument& argument : target.arguments) {
    if (argument.value == nullptr) continue;
    if (const auto* made = ast::dyn_cast<ast::ConstructorCall>(argument.value)) {
      const CallTarget* inner = typed_.call(*made);
      PERFPACT_CHECK(inner != nullptr, "a constructor call that the checker did not resolve");
      instance.arguments[argument.parameter] =
          make_instance(*inner, control_plane_name_in(nullptr, *inner->declaration), made->span);
    } else if (auto known = constant(*argument.value)) {
      instance.arguments[argument.parameter] = *known;
    } else if (const auto* other = ast::dyn_cast<ast::Name>(argument.value)) {
      if (Instance* found = instance_of(*other)) instance.arguments[argument.parameter] = found;
    } else {
      diagnostics_.report(diag::kNotConstant, argument.value->span, "a constructor argument");
    }
  }
  if (!ast::isa<ast::Extern>(target.declaration)) return &instance;

  const std::string& extern_name = target.declaration->name.text;
  auto kind = object_kind(extern_name);
  if (!kind) return &instance;
  Object object{*kind, name, 1, 0};
  if (extern_name == "register" || extern_name == "counter" || extern_name == "meter") {
    std::optional<std::uint64_t> size;
    if (!target.arguments.empty() && target.arguments.front().value != nullptr)
      size = constant_u64(*target.arguments.front().value);
    if (!size)
      diagnostics_.report(diag::kNotConstant, at, fmt::format("the size of {}", name));
    else
      object.size = *size;
  }
  if (*kind == ObjectKind::Register) object.width = data_bits(typed_.types(), instance.type->arguments.at(0));
  instance.object = static_cast<ObjectId>(program_->objects.size());
  program_->objects.push_back(std::move(object));
  return &instance;
}

Instance* Lowering::instance_of(const ast::Expression& receiver) {
  if (const auto* name = ast::dyn_cast<ast::Name>(&receiver)) {
    const ast::Declaration* target = typed_.target(*name);
    if (target == nullptr) return nullptr;
    if (Binding* binding = find_binding(*target)) {
      if (auto* instance = std::get_if<Instance*>(binding)) return *instance;
    } else if (const auto* declared = ast::dyn_cast<ast::Instance>(target)) {
      // At the top level, made when first used.
      const CallTarget* constructor = typed_.call(*declared);
      Frame* here = context_.frame;
      context_.frame = global_;
      Instance* made = make_instance(*constructor, control_plane_name(*declared), declared->span);
      context_.frame = here;
      global_->bindings[declared] = made;
      return made;
    }
  }
  if (const auto* constructor = ast::dyn_cast<ast::ConstructorCall>(&receiver)) {
    // `counters = direct_counter(...)` in a table: an instance without a name of its own.
    auto& known = anonymous_[&receiver][context_.frame];
    if (known == nullptr) {
      const CallTarget* target = typed_.call(*constructor);
      PERFPACT_CHECK(target != nullptr, "a constructor call that the checker did not resolve");
      known = make_instance(*target, control_plane_name(*target->declaration), receiver.span);
    }
    return known;
  }
  if (const auto* type_name = ast::dyn_cast<ast::TypeName>(&receiver)) {
    // `C.apply(...)` on a type: an instance without a name, one per place.
    auto& known = anonymous_[&receiver][context_.frame];
    if (known != nullptr) return known;
    const Type* type = resolve(typed_.denoted(*type_name->type));
    CallTarget& target = synthetic_targets_.emplace_back();
    target.kind = CallKind::Constructor;
    target.declaration = type->declaration;
    target.type = type;
    known = make_instance(target, control_plane_name(*type->declaration), receiver.span);
    return known;
  }
  unsupported(receiver.span, "this object");
  return nullptr;
}

void Lowering::bind_parameters(Frame& frame, const std::vector<ast::Parameter*>& parameters,
                               const Places& places) {
  Frame* here = context_.frame;
  context_.frame = &frame;  // types of the parameters are resolved in it
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ast::Declaration& declaration = *parameters[i];
    if (resolve(typed_.type_of(declaration))->is(TypeKind::InfInt))
      unsupported(declaration.span, "a parameter of type int that gets its value at run time");
    if (i < places.size() && places[i])
      frame.bindings[parameters[i]] = *places[i];
    else
      frame.bindings[parameters[i]] =
          make_place(typed_.type_of(declaration), frame.prefix + declaration.name.text);
  }
  context_.frame = here;
}

void Lowering::lower_locals(const std::vector<ast::Declaration*>& locals) {
  for (const ast::Declaration* local : locals) lower_declaration(*local);
}

Frame& Lowering::instance_frame(Instance& instance, const std::vector<ast::TypeParameter*>& type_parameters) {
  Frame& frame = frames_.emplace_back();
  frame.parent = global_;
  frame.owner = instance.target->declaration;
  frame.prefix = instance.name + ".";
  for (std::size_t i = 0; i < type_parameters.size() && i < instance.type->arguments.size(); ++i)
    frame.types[type_parameters[i]] = instance.type->arguments[i];
  for (const auto& [parameter, binding] : instance.arguments) frame.bindings[parameter] = binding;
  instance.frame = &frame;
  return frame;
}

std::vector<Value> Lowering::parameter_places(Instance& instance) {
  const auto* control = ast::dyn_cast<ast::Control>(instance.target->declaration);
  const auto& parameters = control != nullptr
                               ? control->parameters
                               : ast::cast<ast::Parser>(instance.target->declaration)->parameters;
  std::vector<Value> places;
  for (const ast::Parameter* parameter : parameters)
    places.push_back(std::get<Value>(instance.frame->bindings.at(parameter)));
  return places;
}

void Lowering::lower_control(Instance& instance, const Places& places) {
  const auto* control = ast::dyn_cast<ast::Control>(instance.target->declaration);
  if (control == nullptr) {
    unsupported(instance.at, fmt::format("an instance of {} as a control", to_string(instance.type)));
    return;
  }
  Frame& frame = instance_frame(instance, control->type_parameters);
  Context saved;
  instance.procedure = begin_procedure(instance.name, &frame, saved);
  bind_parameters(frame, control->parameters, places);
  lower_locals(control->locals);
  lower_block(*control->body);
  instance.may_exit = context_.may_exit;
  end_procedure(saved);
}

void Lowering::lower_parser(Instance& instance, const Places& places) {
  const auto* parser = ast::dyn_cast<ast::Parser>(instance.target->declaration);
  if (parser == nullptr) {
    unsupported(instance.at, fmt::format("an instance of {} as a parser", to_string(instance.type)));
    return;
  }
  Frame& frame = instance_frame(instance, parser->type_parameters);
  frame.in_parser = true;
  Context saved;
  instance.procedure = begin_procedure(instance.name, &frame, saved);
  bind_parameters(frame, parser->parameters, places);
  BlockId reject = new_block();
  context_.reject = reject;
  assign(parser->span, rejected_, Operand::constant(1, 0));
  lower_locals(parser->locals);
  std::map<std::string, BlockId> states;
  for (const ast::State* state : parser->states) states[state->name.text] = new_block();
  states["accept"] = context_.epilogue;
  states["reject"] = reject;
  jump(parser->span, states.at("start"));
  for (const ast::State* state : parser->states) {
    enter(states.at(state->name.text));
    lower_state(*state, states);
  }
  enter(reject);
  assign(parser->span, rejected_, Operand::constant(1, 1));
  end_procedure(saved);
}

}  // namespace perfpact::p4::core
