// What a call that was cut out leaves behind, by the outcome that it ends in.
#include <algorithm>

#include "explore/byte.h"
#include "explore/native/machine.h"
#include "smt/infix.h"

namespace perfpact::explore {
namespace {

constexpr std::uint64_t kApart = 64;  // bytes between objects
constexpr std::array<x86::Gpr, 8> kLost{x86::Rcx, x86::Rdx, x86::Rsi, x86::Rdi,
                                        x86::R8,  x86::R9,  x86::R10, x86::R11};  // by a call, and rax

}  // namespace

const Object* NativeExplorer::Machine::object_at(std::uint64_t address) const {
  const auto found = std::ranges::find_if(
      state_.objects, [&](const Object& object) { return address >= object.begin && address < object.end; });
  return found == state_.objects.end() ? nullptr : &*found;
}

void NativeExplorer::Machine::end_call(const Call& call, const Ending& ending, std::uint64_t return_address) {
  const library::Outcome& outcome = *ending.outcome;
  NativeCall done = ended(call, ending, return_address);
  for (const library::Pcv& pcv : outcome.pcvs)
    done.pcvs.push_back(pcv.value ? evaluate(call, *pcv.value, 64, {}) : Expr());
  const std::uint64_t object = outcome.object ? place_object(call, ending, done) : 0;
  give_result(call, outcome, object, done);
  write_results(call, outcome, object, done);
  leave_state(call, outcome);
  go_back(std::move(done), return_address);
}

NativeCall NativeExplorer::Machine::ended(const Call& call, const Ending& ending,
                                          std::uint64_t return_address) {
  const auto position = static_cast<std::uint64_t>(ending.outcome - call.method.outcomes.data());
  decide(call.function, return_address);
  state_.path.decide(static_cast<std::uint32_t>(position), ending.object ? *ending.object + 1 : 0);
  NativeCall done{.label = call.label,
                  .method = &call.method,
                  .outcome = ending.outcome,
                  .structure = call.structure,
                  .function = call.function,
                  .before = state_.counts.instructions};
  lose_registers(call.label, done);
  return done;
}

void NativeExplorer::Machine::go_back(NativeCall done, std::uint64_t return_address) {
  Expr& stack = reg(lift::gpr(x86::Rsp));
  stack = context_.add(stack, word(sizeof(std::uint64_t)));
  state_.next = word(return_address);
  state_.calls.push_back(std::move(done));
}

void NativeExplorer::Machine::set(NativeCall& done, x86::Gpr gpr, Expr value) {
  reg(lift::gpr(gpr)) = value;
  done.registers.emplace_back(gpr, value);
}

// System V ABI, section 3.2.1. The direction flag stays clear.
void NativeExplorer::Machine::lose_registers(const std::string& label, NativeCall& done) {
  const auto lost = [&](std::string_view name, std::uint32_t width) {
    const Expr symbol = context_.symbol(fmt::format("{} leaves in {}", label, name), width);
    lost_.insert(symbol);
    return symbol;
  };
  for (const x86::Gpr gpr : kLost) set(done, gpr, lost(x86::kGprNames.at(gpr), 64));
  for (std::size_t i = 0; i < x86::kXmms; ++i) reg(lift::xmm(i)) = lost(fmt::format("xmm{}", i), 128);
}

void NativeExplorer::Machine::give_result(const Call& call, const library::Outcome& outcome,
                                          std::uint64_t object, NativeCall& done) {
  const library::Returned& returned = outcome.returned;
  switch (returned.kind) {
    case library::Returned::Kind::Unknown:
      return set(done, x86::Rax, context_.symbol(fmt::format("{} leaves in rax", call.label), 64));
    case library::Returned::Kind::Term:
      return set(done, x86::Rax, evaluate(call, returned.term, 64, {}));
    case library::Returned::Kind::Number:
      return set(done, x86::Rax, context_.zext(returned_number(call, outcome), 64));
    case library::Returned::Kind::Object:
      return set(done, x86::Rax, word(object));
  }
}

// The content of an object before anything has written it.
smt::Expr NativeExplorer::Machine::first_content(const std::string& kind, Expr same_for,
                                                 std::uint64_t bytes) {
  Expr& content = fact_symbols_[{kind, same_for.id()}];
  if (!content)
    content = context_.symbol(unique(fmt::format("{}[{}]", kind, smt::to_infix(same_for))),
                              static_cast<std::uint32_t>(bytes) * kByte);
  return content;
}

// Where the object is that the outcome gives a pointer to: one that is there, or a new one.
std::uint64_t NativeExplorer::Machine::place_object(const Call& call, const Ending& ending,
                                                    NativeCall& done) {
  if (ending.object) return state_.objects[*ending.object].begin;
  const library::Object& object = *ending.outcome->object;
  const std::uint64_t begin =
      (state_.objects.empty() ? process_.scratch().begin : state_.objects.back().end) / kApart * kApart +
      kApart;
  const std::uint64_t bytes = size_of(call, object);
  const Expr same_for = what_it_is_the_same_for(call, object);
  const std::string kind = fmt::format("{}.{}", call.structure, object.name);
  state_.objects.push_back({kind, same_for, begin, begin + bytes});
  const Expr content = first_content(kind, same_for, bytes);
  state_.memory.store(begin, content);
  done.memory.emplace_back(begin, content);
  return begin;
}

void NativeExplorer::Machine::write_results(const Call& call, const library::Outcome& outcome,
                                            std::uint64_t object, NativeCall& done) {
  for (const library::Write& one : outcome.writes) {
    const std::uint64_t address = call.arguments[one.argument].value().word() + one.offset;
    done.memory.emplace_back(address, one.is_object ? word(object) : written_value(call, outcome, one));
    write(address, done.memory.back().second);
  }
}

smt::Expr NativeExplorer::Machine::returned_number(const Call& call, const library::Outcome& outcome) {
  const std::uint32_t bytes = outcome.returned.bytes;
  return context_.symbol(fmt::format("{} {} returns:{}", call.label, outcome.name, bytes), bytes * kByte);
}

smt::Expr NativeExplorer::Machine::written_value(const Call& call, const library::Outcome& outcome,
                                                 const library::Write& write) {
  const std::uint32_t width = write.bytes * kByte;
  if (write.is) return evaluate(call, *write.is, width, {});
  return context_.symbol(
      fmt::format("{} {} writes argument {}{}:{}", call.label, outcome.name, write.argument,
                  write.offset > 0 ? fmt::format("+{:#x}", write.offset) : "", write.bytes),
      width);
}

// What the outcome speaks of is known from here on: the next application to equal arguments gives the same.
void NativeExplorer::Machine::note_facts(const Call& call, const library::Outcome& outcome) {
  std::vector<std::pair<const library::Term*, std::uint32_t>> applications;
  const std::function<void(const library::Term&, std::uint32_t)> note = [&](const library::Term& term,
                                                                            std::uint32_t width) {
    for (const library::Term& argument : term.arguments) note(argument, 64);
    if (term.kind == library::Term::Kind::Function) applications.emplace_back(&term, width);
  };
  for (const library::Atom& atom : outcome.requires_state) {
    note(atom.left, atom.comparison == library::Atom::Comparison::Holds ? 1 : 64);
    note(atom.right, 64);
  }
  if (outcome.returned.kind == library::Returned::Kind::Term) note(outcome.returned.term, 64);
  for (const library::Write& write : outcome.writes)
    if (write.is) note(*write.is, 64);
  for (const auto& [term, width] : applications) {
    const std::string function = fmt::format("{}.{}", call.structure, term->name);
    const Expr of = arguments(call, term->arguments);
    state_.facts.push_back({function, of, known(function, of, width)});
  }
}

void NativeExplorer::Machine::leave_state(const Call& call, const library::Outcome& outcome) {
  const auto name = [&](const std::string& function) {
    return fmt::format("{}.{}", call.structure, function);
  };
  note_facts(call, outcome);
  for (const std::string& function : outcome.forgets) {
    std::erase_if(state_.facts, [&](const Fact& fact) { return fact.function == name(function); });
    ++state_.forgotten[name(function)];
  }
  for (const library::Atom& atom : outcome.leaves) {
    const bool is_truth = atom.comparison == library::Atom::Comparison::Holds;
    const Expr value = is_truth ? context_.boolean(!atom.is_negated) : evaluate(call, atom.right, 64, {});
    state_.facts.push_back({name(atom.left.name), arguments(call, atom.left.arguments), value});
  }
}

}  // namespace perfpact::explore
