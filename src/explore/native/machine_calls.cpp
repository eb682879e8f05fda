// Calls of methods that a contract pack describes. A call is not run: it ends in each outcome that the
// abstract state of its structure allows, with what the pack says that this outcome returns, writes and
// leaves.
//
// The abstract state is a set of functions, each of a structure and its arguments' values
// (`flows.contains(key)`). What a path has learnt about them are facts: an application looks through the
// facts from the newest to the oldest for equal arguments, and is a symbol where there are none. Objects that
// methods give pointers to are memory of their own; two calls whose arguments may be equal or not go on both
// ways.
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.h"
#include "explore/diagnostics.h"
#include "explore/native/machine.h"
#include "smt/infix.h"

namespace perfpact::explore {
namespace {

using library::Atom;
using library::Term;

constexpr std::uint32_t kWord = 64;                // bits
constexpr std::uint64_t kLargestObject = 1 << 16;  // bytes

std::set<std::uint32_t> pointers_of(const library::Method& method) {
  std::set<std::uint32_t> positions;
  for (const auto& [position, bytes] : method.reads) positions.insert(position);
  for (const library::Outcome& outcome : method.outcomes)
    for (const library::Write& write : outcome.writes) positions.insert(write.argument);
  return positions;
}

std::set<std::uint32_t> sizes_of(const library::Method& method) {
  std::set<std::uint32_t> positions;
  for (const library::Outcome& outcome : method.outcomes)
    if (outcome.object && outcome.object->size.kind == Term::Kind::Argument)
      positions.insert(static_cast<std::uint32_t>(outcome.object->size.number));
  return positions;
}

}  // namespace

void NativeExplorer::Machine::find_methods() {
  for (const library::Pack& pack : options_.packs)
    for (const library::Method& method : pack.methods)
      for (const std::uint64_t address : addresses_of(process_, method.function))
        methods_.try_emplace(address, CutMethod{&method, pack.is_shipped});
}

void NativeExplorer::Machine::report_methods(Diagnostics& diagnostics) const {
  std::vector<std::string> never;
  std::set<const library::Method*> called;
  for (const auto& [address, one] : methods_)
    if (one.is_called || one.is_shipped) called.insert(one.method);
  for (const auto& [address, one] : methods_)
    if (!called.contains(one.method) && std::ranges::find(never, one.method->function) == never.end())
      never.push_back(one.method->function);
  if (!never.empty()) diagnostics.report(diag::kNeverCalled, {}, fmt::format("{}", fmt::join(never, ", ")));
  for (const NamedStructure& wrong : structures_.wrong())
    diagnostics.report(diag::kEntryPlace, wrong.at, wrong.place);
}

// At the first instruction of the method: the return address is at [rsp].
NativeExplorer::Machine::Step NativeExplorer::Machine::cut(CutMethod& cut, std::uint64_t function) {
  cut.is_called = true;
  const Expr stack = std::as_const(*this).reg(lift::gpr(x86::Rsp));
  const Expr return_address = stack.is_constant()
                                  ? state_.memory.load(context_, stack.value().word(), sizeof(std::uint64_t))
                                  : Expr();
  if (!return_address || !return_address.is_constant())
    return end_in_gap(fmt::format("'{}' is called in a way that is not understood", cut.method->function));
  Call call{.method = *cut.method, .function = function};
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    call.arguments[i] = std::as_const(*this).reg(lift::gpr(x86::kArguments[i]));
  if (call.method.structure) {
    if (const auto lost = lost_register_in(call.arguments[*call.method.structure]))
      return end_in_gap(depends_on(*lost));
    const std::optional<std::uint64_t> handle = concrete_word(call.arguments[*call.method.structure]);
    if (!handle) return Step::End;
    call.handle = *handle;
    call.structure = structures_.name(*handle);
  }
  for (const std::uint32_t position : pointers_of(call.method)) {
    if (const auto lost = lost_register_in(call.arguments[position])) return end_in_gap(depends_on(*lost));
    const std::optional<std::uint64_t> pointer = concrete_word(call.arguments[position]);
    if (!pointer) return Step::End;
    call.arguments[position] = word(*pointer);
  }
  for (const std::uint32_t position : sizes_of(call.method)) {
    if (const auto lost = lost_register_in(call.arguments[position])) return end_in_gap(depends_on(*lost));
    const std::optional<std::uint64_t> size = concrete_word(call.arguments[position]);
    if (!size) return Step::End;
    call.arguments[position] = word(*size);
  }
  call.label =
      call.structure.empty() ? call.method.name : fmt::format("{}.{}", call.structure, call.method.name);
  const auto before = std::ranges::count_if(state_.calls, [&](const NativeCall& earlier) {
    return earlier.method == cut.method && earlier.structure == call.structure;
  });
  if (before > 0) call.label += fmt::format("#{}", before + 1);
  if (call.method.memory) return do_to_memory(call, return_address.value().word());
  if (!has_its_memory(call)) return Step::End;
  const std::vector<Ending> all = endings(call);
  std::vector<Expr> conditions;
  for (const Ending& ending : all) conditions.push_back(ending.condition);
  // A call has to end somehow: what no outcome is for is not left out silently.
  conditions.push_back(no_outcome(call));
  const std::optional<std::size_t> picked = pick(conditions);
  if (!picked || *picked == all.size())
    return end_in_gap(fmt::format("the pack has no outcome for this call of '{}'", call.method.function));
  end_call(call, all[*picked], return_address.value().word());
  return Step::Stay;
}

std::string NativeExplorer::Machine::depends_on(const std::string& lost) {
  return fmt::format("the program relies on what {}, which calls need not keep (gcc: `noipa` is missing)",
                     lost);
}

// The name of a register that a call has left unknown and that the expression is made of.
std::optional<std::string> NativeExplorer::Machine::lost_register_in(Expr expr) const {
  return symbol_in(expr, [this](Expr symbol) { return lost_.contains(symbol); });
}

// In the condition of the path that ends, or in the port that it sends to.
std::optional<std::string> NativeExplorer::Machine::lost_register_used(Expr port) const {
  if (lost_.empty()) return std::nullopt;
  std::vector<Expr> uses = state_.constraints.to_vector();
  if (port) uses.push_back(port);
  for (Expr use : uses)
    if (auto lost = lost_register_in(use)) return lost;
  return std::nullopt;
}

// What the pack takes for pointers has to point to memory.
bool NativeExplorer::Machine::has_its_memory(const Call& call) {
  const auto is_memory = [&](std::uint64_t position, std::uint32_t bytes, bool writes) {
    const std::uint64_t pointer = call.arguments[position].value().word();
    if (is_inside({pointer, pointer}, bytes, writes)) return true;
    end_in_gap(fmt::format(
        "the pack says that argument {} of '{}' points to {} bytes{}; here it is {:#x}, which does "
        "not",
        position, call.method.function, bytes, writes ? " to write" : "", pointer));
    return false;
  };
  for (const auto& [position, bytes] : call.method.reads)
    if (!is_memory(position, bytes, false)) return false;
  for (const library::Outcome& outcome : call.method.outcomes)
    for (const library::Write& write : outcome.writes)
      if (!is_memory(write.argument, write.offset + write.bytes, true)) return false;
  for (const auto& [name, field] : call.method.fields) {
    const Expr held = call.method.structure
                          ? state_.memory.load(context_, call.handle + field.offset, field.bytes)
                          : Expr();
    if (held && held.is_constant()) continue;
    end_in_gap(fmt::format("the field '{}' of '{}' is not known", name, call.label));
    return false;
  }
  return has_room(call);
}

std::uint64_t NativeExplorer::Machine::size_of(const Call& call, const library::Object& object) {
  return evaluate(call, object.size, 64, {}).value().word();
}

// For the objects that its outcomes may give pointers to.
bool NativeExplorer::Machine::has_room(const Call& call) {
  const process::Scratch room = process_.scratch();
  const std::uint64_t used = state_.objects.empty() ? room.begin : state_.objects.back().end;
  for (const library::Outcome& outcome : call.method.outcomes) {
    if (!outcome.object) continue;
    const std::uint64_t bytes = size_of(call, *outcome.object);
    if (bytes > 0 && bytes <= kLargestObject && used + kLargestObject < room.end) continue;
    end_in_gap(fmt::format("no room for an object of {} bytes that '{}' gives", bytes, call.method.function));
    return false;
  }
  return true;
}

std::vector<NativeExplorer::Machine::Ending> NativeExplorer::Machine::endings(const Call& call) {
  std::vector<Ending> all;
  for (const library::Outcome& outcome : call.method.outcomes) {
    const Expr required =
        context_.and_(evaluate(call, outcome.requires_state), what_is_promised(call, outcome));
    if (!outcome.object) {
      all.push_back({&outcome, std::nullopt, required});
      continue;
    }
    const Expr same_for = what_it_is_the_same_for(call, *outcome.object);
    const std::string kind = fmt::format("{}.{}", call.structure, outcome.object->name);
    Expr is_new = required;
    for (std::size_t i = 0; i < state_.objects.size(); ++i) {
      if (state_.objects[i].kind != kind) continue;
      const Expr is_same = context_.eq(state_.objects[i].same_for, same_for);
      all.push_back({&outcome, i, context_.and_(required, is_same)});
      is_new = context_.and_(is_new, context_.not_(is_same));
    }
    const Expr content = first_content(kind, same_for, size_of(call, *outcome.object));
    all.push_back({&outcome, std::nullopt, context_.and_(is_new, assumed_of(kind, content))});
  }
  return all;
}

// When what none of the outcomes requires holds.
smt::Expr NativeExplorer::Machine::no_outcome(const Call& call) {
  Expr none = context_.boolean(true);
  for (const library::Outcome& outcome : call.method.outcomes)
    none = context_.and_(none, context_.not_(evaluate(call, outcome.requires_state)));
  return none;
}

// Of the values that the outcome makes up.
smt::Expr NativeExplorer::Machine::what_is_promised(const Call& call, const library::Outcome& outcome) {
  Expr promised = context_.boolean(true);
  const library::Returned& returned = outcome.returned;
  if (returned.kind == library::Returned::Kind::Number)
    promised = evaluate(call, returned.assume, returned_number(call, outcome));
  for (const library::Write& write : outcome.writes) {
    if (write.is_object) continue;
    const Expr value = written_value(call, outcome, write);
    promised = context_.and_(promised, evaluate(call, write.assume, value));
    // What a function of the state gives is what is written, and not something wider.
    if (write.is && write.is->kind == Term::Kind::Function && value.width() < kWord)
      promised = context_.and_(
          promised, context_.eq(evaluate(call, *write.is, kWord, {}), context_.zext(value, kWord)));
  }
  return promised;
}

// ---- Terms

smt::Expr NativeExplorer::Machine::passed(const Call& call, std::uint64_t position) {
  const auto read = call.method.reads.find(static_cast<std::uint32_t>(position));
  if (read == call.method.reads.end()) {
    const auto width = call.method.widths.find(static_cast<std::uint32_t>(position));
    return width == call.method.widths.end()
               ? call.arguments[position]
               : context_.extract(width->second * 8 - 1, 0, call.arguments[position]);
  }
  return state_.memory.load(context_, call.arguments[position].value().word(), read->second);
}

smt::Expr NativeExplorer::Machine::arguments(const Call& call, const std::vector<Term>& terms) {
  Expr all;
  for (const Term& term : terms) {
    const bool is_passed = term.kind == Term::Kind::Argument;
    Expr one = is_passed ? passed(call, term.number) : evaluate(call, term, kWord, {});
    one = context_.zext(one, std::max(kWord, one.width()));
    all = all ? context_.concat(all, one) : one;
  }
  return all ? all : context_.zero(1);
}

// Of an object for each call: a number of its own.
smt::Expr NativeExplorer::Machine::what_it_is_the_same_for(const Call& call, const library::Object& object) {
  return object.is_fresh ? word(state_.objects.size()) : arguments(call, object.same_for);
}

smt::Expr NativeExplorer::Machine::known(const std::string& function, Expr arguments, std::uint32_t width) {
  const auto forgotten = state_.forgotten.find(function);
  std::string shown = function;
  if (forgotten != state_.forgotten.end()) shown += std::string(forgotten->second, '\'');
  Expr& symbol = fact_symbols_[{fmt::format("{}:{}", shown, width), arguments.id()}];
  if (!symbol)
    symbol = context_.symbol(unique(fmt::format("{}({})", shown, smt::to_infix(arguments))), width);
  Expr value = symbol;
  for (const Fact& fact : state_.facts)
    if (fact.function == function && fact.value.width() == width)
      value = context_.ite(context_.eq(fact.arguments, arguments), fact.value, value);
  return value;
}

smt::Expr NativeExplorer::Machine::evaluate(const Call& call, const Term& term, std::uint32_t width,
                                            Expr value) {
  const auto sized = [&](Expr expr) {
    return expr.width() >= width ? context_.extract(width - 1, 0, expr) : context_.zext(expr, width);
  };
  switch (term.kind) {
    case Term::Kind::Number:
      return context_.constant(width, term.number);
    case Term::Kind::Argument:
      return sized(passed(call, term.number));
    case Term::Kind::Value:
      return sized(value);
    case Term::Kind::Field: {
      const library::Method::Field& field = call.method.fields.find(term.name)->second;
      return sized(state_.memory.load(context_, call.handle + field.offset, field.bytes));
    }
    case Term::Kind::Function:
      return sized(known(fmt::format("{}.{}", call.structure, term.name), arguments(call, term.arguments),
                         width == 1 ? 1 : 64));
  }
  PERFPACT_CHECK(false, "an unknown term");
  return {};
}

smt::Expr NativeExplorer::Machine::evaluate(const Call& call, const library::Condition& condition,
                                            Expr value) {
  Expr all = context_.boolean(true);
  for (const Atom& atom : condition) {
    Expr holds;
    if (atom.comparison == Atom::Comparison::Holds) {
      holds = evaluate(call, atom.left, 1, value);
      if (atom.is_negated) holds = context_.not_(holds);
    } else {
      const Expr left = evaluate(call, atom.left, 64, value);
      const Expr right = evaluate(call, atom.right, 64, value);
      switch (atom.comparison) {
        case Atom::Comparison::Equal:
        case Atom::Comparison::Holds:
          holds = context_.eq(left, right);
          break;
        case Atom::Comparison::NotEqual:
          holds = context_.ne(left, right);
          break;
        case Atom::Comparison::Less:
          holds = context_.ult(left, right);
          break;
        case Atom::Comparison::LessOrEqual:
          holds = context_.ule(left, right);
          break;
        case Atom::Comparison::Greater:
          holds = context_.ult(right, left);
          break;
        case Atom::Comparison::GreaterOrEqual:
          holds = context_.ule(right, left);
          break;
      }
    }
    all = context_.and_(all, holds);
  }
  return all;
}

}  // namespace perfpact::explore
