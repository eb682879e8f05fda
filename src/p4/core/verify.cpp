#include "p4/core/verify.h"

#include <algorithm>
#include <optional>

#include "base/check.h"

namespace perfpact::p4::core {
namespace {

constexpr std::uint32_t kCountBits = 32;   // lengths, ordinals, action indices
constexpr std::uint32_t kNumberBits = 64;  // numbers of events, ports, groups: the most that the driver takes

// How wide an operation's operands are, w being the width of its result.
enum class Shape : std::uint8_t {
  Same,     // all w
  Shift,    // a: w, b: any
  Compare,  // w = 1, a and b alike
  Join,     // w = a + b
  Cut,      // w = high - low + 1, high < a
  Replace,  // a: w, b: high - low + 1, high < w
  Widen,    // a <= w
  Narrow,   // a >= w
  Choose,   // a: 1, b and c: w
};
struct OpRule {
  Op op;
  std::size_t operands;
  Shape shape;
};
constexpr std::array kOpRules{
    OpRule{Op::Copy, 1, Shape::Same},          OpRule{Op::Not, 1, Shape::Same},
    OpRule{Op::Negate, 1, Shape::Same},        OpRule{Op::Add, 2, Shape::Same},
    OpRule{Op::Sub, 2, Shape::Same},           OpRule{Op::Mul, 2, Shape::Same},
    OpRule{Op::Div, 2, Shape::Same},           OpRule{Op::Mod, 2, Shape::Same},
    OpRule{Op::AddSat, 2, Shape::Same},        OpRule{Op::SubSat, 2, Shape::Same},
    OpRule{Op::AddSatSigned, 2, Shape::Same},  OpRule{Op::SubSatSigned, 2, Shape::Same},
    OpRule{Op::And, 2, Shape::Same},           OpRule{Op::Or, 2, Shape::Same},
    OpRule{Op::Xor, 2, Shape::Same},           OpRule{Op::ShiftLeft, 2, Shape::Shift},
    OpRule{Op::ShiftRight, 2, Shape::Shift},   OpRule{Op::ShiftRightSigned, 2, Shape::Shift},
    OpRule{Op::Equal, 2, Shape::Compare},      OpRule{Op::NotEqual, 2, Shape::Compare},
    OpRule{Op::Less, 2, Shape::Compare},       OpRule{Op::LessEqual, 2, Shape::Compare},
    OpRule{Op::LessSigned, 2, Shape::Compare}, OpRule{Op::LessEqualSigned, 2, Shape::Compare},
    OpRule{Op::Concat, 2, Shape::Join},        OpRule{Op::Extract, 1, Shape::Cut},
    OpRule{Op::Insert, 2, Shape::Replace},     OpRule{Op::ZeroExtend, 1, Shape::Widen},
    OpRule{Op::SignExtend, 1, Shape::Widen},   OpRule{Op::Truncate, 1, Shape::Narrow},
    OpRule{Op::Choose, 3, Shape::Choose},
};
static_assert(kOpRules.size() == static_cast<std::size_t>(Op::Choose) + 1);
static_assert(std::ranges::is_sorted(kOpRules, {}, &OpRule::op));

bool fits_shape(Shape shape, std::uint32_t w, const Compute& compute) {
  const auto width = [&](std::size_t i) { return compute.from[i].width; };
  const bool is_slice = compute.low <= compute.high;
  switch (shape) {
    case Shape::Same:
      return std::ranges::all_of(compute.from, [w](const Operand& operand) { return operand.width == w; });
    case Shape::Shift:
      return width(0) == w;
    case Shape::Compare:
      return w == 1 && width(0) == width(1);
    case Shape::Join:
      return w == width(0) + width(1);
    case Shape::Cut:
      return is_slice && compute.high < width(0) && w == compute.high - compute.low + 1;
    case Shape::Replace:
      return is_slice && width(0) == w && compute.high < w && width(1) == compute.high - compute.low + 1;
    case Shape::Widen:
      return width(0) <= w;
    case Shape::Narrow:
      return width(0) >= w;
    case Shape::Choose:
      return width(0) == 1 && width(1) == w && width(2) == w;
  }
  return false;
}

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  void run() {
    check_driver_slots();
    for (const HeaderInstance& header : program_.headers) {
      header_ = &header;
      to(header.valid, 1);
    }
    for (const Procedure& procedure : program_.procedures) check_procedure(procedure);
    check_calls_are_acyclic();
  }

 private:
  // A violation ends the program with the place where it stands.
  template <class... Arguments>
  void require(bool holds, fmt::format_string<Arguments...> rule, Arguments&&... arguments) const {
    if (!holds) violated(fmt::format(rule, std::forward<Arguments>(arguments)...));
  }
  void violated(const std::string& rule) const {
    PERFPACT_CHECK(false, "core form of {}, {}: {}", program_.name, place(), rule);
  }
  [[nodiscard]] std::string place() const {
    if (procedure_ == nullptr) return header_ == nullptr ? "driver" : "header " + header_->name;
    if (!block_) return "procedure " + procedure_->name;
    if (!instruction_) return fmt::format("procedure {}, end of block {}", procedure_->name, *block_);
    return fmt::format("procedure {}, block {}, instruction {}", procedure_->name, *block_, *instruction_);
  }
  template <class Id>
  void in_range(Id id, std::size_t size, std::string_view what) const {
    require(index(id) < size, "there is no {} {}", what, index(id));
  }
  void to(SlotId slot) const { in_range(slot, program_.slots.size(), "slot"); }
  void to(SlotId slot, std::uint32_t width) const {
    to(slot);
    require(width_of(slot) == width, "slot {} has {} bits instead of {}", index(slot), width_of(slot), width);
  }
  void from(const Operand& operand) const {
    if (!operand.is_constant) return to(operand.slot, operand.width);
    if (operand.value < 0 || operand.value > all_ones(operand.width))
      violated(fmt::format("the constant {} does not fit in {} bits", operand.value.str(), operand.width));
  }
  void from(const Operand& operand, std::uint32_t width) const {
    from(operand);
    require(operand.width == width, "an operand has {} bits instead of {}", operand.width, width);
  }
  void from_at_most(const Operand& operand, std::uint32_t width) const {
    from(operand);
    require(operand.width <= width, "an operand has {} bits, more than {}", operand.width, width);
  }
  [[nodiscard]] std::uint32_t width_of(SlotId slot) const { return program_.slots[index(slot)].width; }
  const Object& object(ObjectId id, ObjectKind kind) const {
    in_range(id, program_.objects.size(), "object");
    const Object& declared = program_.objects[index(id)];
    require(declared.kind == kind, "object {} is of another kind", declared.name);
    return declared;
  }

  // The rules, one line an instruction kind: slots written, operands read.
  void check(const Compute& i) const { check_compute(i); }
  void check(const RaiseEvent& i) const { check_event(i); }
  void check(const PacketLength& i) const { to(i.to, kCountBits); }
  void check(const PacketRemaining& i) const { to(i.to, kCountBits); }
  void check(const PacketRead& i) const { to(i.to); }
  void check(const PacketReadVarbit& i) const { to(i.to), from(i.bits, kCountBits); }
  void check(const PacketPeek& i) const { to(i.to); }
  void check(const PacketAdvance& i) const { from(i.bits, kCountBits); }
  void check(const PacketEmit& i) const { from(i.value); }
  void check(const PacketEmitVarbit& i) const { from(i.value), from(i.bits, kCountBits); }
  void check(const PacketCommit&) const {}
  void check(const PacketTruncate& i) const { from(i.bytes, kCountBits); }
  void check(const Lookup& i) const { check_lookup(i); }
  void check(const Hash& i) const { to(i.to), check_data(i.data); }
  void check(const RegisterRead& i) const {
    from(i.index), to(i.to, object(i.object, ObjectKind::Register).width);
  }
  void check(const RegisterWrite& i) const {
    from(i.index), from(i.value, object(i.object, ObjectKind::Register).width);
  }
  void check(const Count& i) const { from(i.index), object(i.object, ObjectKind::Counter); }
  void check(const Meter& i) const { from(i.index), object(i.object, ObjectKind::Meter), to(i.to); }
  void check(const Random& i) const { to(i.to), from(i.low, width_of(i.to)), from(i.high, width_of(i.to)); }
  void check(const Call& i) const { check_procedure_id(i.procedure); }
  void check(const Enqueue& i) const { check_pass(i); }
  void check(const EnqueueGroup& i) const { from_at_most(i.group, kNumberBits), check_replicas(i); }
  void check(const EnqueueClone& i) const { from_at_most(i.session, kNumberBits), check_clone(i); }
  void check(const SendPacket& i) const { from_at_most(i.port, kNumberBits); }
  void check(const DropPacket&) const {}
  void check(const Fail& i) const { require(!i.what.empty(), "a failure without a name"); }

  void check_driver_slots() {
    check_procedure_id(program_.entry);
    to(program_.ingress_port);
    to(program_.packet_length, kCountBits);
    to(program_.instance_type, kCountBits);
    to(program_.parser_error, kCountBits);
  }
  void check_procedure_id(ProcedureId id) const { in_range(id, program_.procedures.size(), "procedure"); }
  void check_decision(DecisionId id) const { in_range(id, program_.decisions, "decision"); }

  void check_compute(const Compute& compute) const {
    const OpRule& rule = kOpRules[static_cast<std::size_t>(compute.op)];
    to(compute.to);
    for (const Operand& operand : compute.from) from(operand);
    require(compute.from.size() == rule.operands, "{} has {} operands instead of {}", to_string(compute.op),
            compute.from.size(), rule.operands);
    require(fits_shape(rule.shape, width_of(compute.to), compute), "the widths of {} do not go together",
            to_string(compute.op));
  }

  void check_event(const RaiseEvent& raise) const {
    in_range(raise.site, program_.sites.size(), "event site");
    const program::EventSchema& schema = program::schema(program_.sites[index(raise.site)].kind);
    for (std::size_t i = 0; i < raise.numbers.size(); ++i) {
      from_at_most(raise.numbers[i], kNumberBits);
      if (schema.numbers[i].empty())
        require(raise.numbers[i].is_constant && raise.numbers[i].value == 0, "{} has no number {}",
                schema.name, i);
    }
  }

  void check_lookup(const Lookup& lookup) const {
    in_range(lookup.table, program_.tables.size(), "table");
    check_decision(lookup.decision);
    const tables::TableSchema& table = program_.tables[static_cast<std::size_t>(lookup.table)];
    require(lookup.keys.size() == table.keys.size(), "{} is looked up with {} keys instead of {}", table.name,
            lookup.keys.size(), table.keys.size());
    for (std::size_t i = 0; i < table.keys.size(); ++i) from(lookup.keys[i], table.keys[i].width);
    to(lookup.hit, 1);
    to(lookup.action, kCountBits);
    to(lookup.entries, kNumberBits);
    to(lookup.visited, kNumberBits);
    to(lookup.prefix_length, kCountBits);
    if (lookup.entry) to(*lookup.entry, kNumberBits);
    require(lookup.data.size() == table.actions.size(), "{} has data for {} actions instead of {}",
            table.name, lookup.data.size(), table.actions.size());
    for (std::size_t a = 0; a < table.actions.size(); ++a) {
      const auto& parameters = table.actions[a].parameters;
      require(lookup.data[a].size() == parameters.size(), "{} has {} parameters, not {}",
              table.actions[a].name, parameters.size(), lookup.data[a].size());
      for (std::size_t i = 0; i < parameters.size(); ++i) to(lookup.data[a][i], parameters[i].width);
    }
  }

  void check_data(const std::vector<DataItem>& data) const {
    for (const DataItem& item : data) from(item.value), from(item.length, kCountBits), from(item.valid, 1);
  }

  template <class Pass>
  void check_pass(const Pass& pass) const {
    check_procedure_id(pass.procedure);
    for (SlotId slot : pass.keep) to(slot);
    for (const auto& [slot, operand] : pass.set) {
      to(slot);
      from(operand, width_of(slot));
    }
  }
  template <class Pass>
  void check_replicas(const Pass& pass) const {
    check_pass(pass);
    to(pass.port);
    to(pass.instance);
  }
  void check_clone(const EnqueueClone& clone) const {
    require(clone.kind == PassKind::CloneIngress || clone.kind == PassKind::CloneEgress,
            "a clone of another kind");
    check_replicas(clone);
  }

  // Terminators.
  void target(BlockId block) const { in_range(block, procedure_->blocks.size(), "block"); }
  void check(const Return&) const {}
  void check(const Jump& jump) const { target(jump.to); }
  void check(const Branch& branch) const {
    from(branch.condition, 1);
    target(branch.then_block);
    target(branch.else_block);
    if (branch.is_decision) check_decision(branch.decision);
  }
  void check(const Select& select) const {
    for (const Operand& operand : select.operands) from(operand);
    for (const SelectCase& candidate : select.cases) {
      target(candidate.to);
      require(candidate.patterns.size() == select.operands.size(),
              "a case with another number of patterns than operands");
      for (std::size_t i = 0; i < candidate.patterns.size(); ++i)
        check_pattern(candidate.patterns[i], select.operands[i].width);
    }
    target(select.default_block);
    if (select.is_decision) check_decision(select.decision);
  }
  void check_pattern(const Pattern& pattern, std::uint32_t width) const {
    const Integer largest = all_ones(width);
    require(pattern.value >= 0 && pattern.value <= largest && pattern.mask >= 0 && pattern.mask <= largest,
            "a pattern is wider than its operand's {} bits", width);
    require(pattern.is_range || (pattern.value & pattern.mask) == pattern.value,
            "a pattern has bits outside its mask and never matches");
  }

  void check_procedure(const Procedure& procedure) {
    procedure_ = &procedure;
    block_.reset();
    target(procedure.entry);
    for (std::size_t b = 0; b < procedure.blocks.size(); ++b) {
      const Block& block = procedure.blocks[b];
      block_ = b;
      for (std::size_t i = 0; i < block.instructions.size(); ++i) {
        instruction_ = i;
        std::visit([this](const auto& action) { check(action); }, block.instructions[i].action);
      }
      instruction_.reset();
      std::visit([this](const auto& terminator) { check(terminator); }, block.terminator);
    }
  }

  enum class Visit : std::uint8_t { Unseen, Open, Done };
  void check_calls_are_acyclic() {
    block_.reset();
    visits_.assign(program_.procedures.size(), Visit::Unseen);
    for (std::size_t i = 0; i < program_.procedures.size(); ++i) visit(static_cast<ProcedureId>(i));
  }
  void visit(ProcedureId id) {
    Visit& state = visits_[index(id)];
    const Procedure& procedure = program_.procedures[index(id)];
    procedure_ = &procedure;
    require(state != Visit::Open, "it calls itself");
    if (state == Visit::Done) return;
    state = Visit::Open;
    for (const Block& block : procedure.blocks)
      for (const Instruction& instruction : block.instructions)
        if (const auto* call = std::get_if<Call>(&instruction.action)) visit(call->procedure);
    state = Visit::Done;
  }

  const Program& program_;
  const Procedure* procedure_ = nullptr;
  const HeaderInstance* header_ = nullptr;
  std::optional<std::size_t> block_, instruction_;  // where procedure_ is being checked
  std::vector<Visit> visits_;
};

}  // namespace

void verify(const Program& program) {
  Verifier(program).run();
}

}  // namespace perfpact::p4::core
