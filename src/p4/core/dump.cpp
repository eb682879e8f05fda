#include <algorithm>

#include "p4/core/core.h"

namespace perfpact::p4::core {
namespace {

// In the order of Op.
constexpr std::array<std::string_view, 31> kOpNames{
    "copy",
    "not",
    "neg",
    "add",
    "sub",
    "mul",
    "div",
    "mod",
    "add_sat",
    "sub_sat",
    "add_sat_signed",
    "sub_sat_signed",
    "and",
    "or",
    "xor",
    "shl",
    "shr",
    "shr_signed",
    "eq",
    "ne",
    "lt",
    "le",
    "lt_signed",
    "le_signed",
    "concat",
    "extract",
    "insert",
    "zext",
    "sext",
    "trunc",
    "choose",
};
static_assert(kOpNames.size() == static_cast<std::size_t>(Op::Choose) + 1);

// In the order of HashAlgorithm; v1model's names.
constexpr std::array<std::string_view, 8> kHashNames{"crc32",  "crc32_custom", "crc16",  "crc16_custom",
                                                     "random", "identity",     "csum16", "xor16"};
constexpr std::array<std::string_view, 3> kObjectKinds{"register", "counter", "meter"};

// Small numbers in decimal, others in hex.
std::string number(const Integer& value) {
  return value < 256 ? value.str() : to_hex(value);
}

std::string text(SlotId slot) {
  return std::to_string(index(slot));
}
std::string text(const Operand& operand) {
  return operand.is_constant ? fmt::format("{}'{}", operand.width, number(operand.value))
                             : text(operand.slot);
}
std::string text(BlockId block) {
  return fmt::format("block {}", index(block));
}

std::string text(const Pattern& pattern) {
  if (pattern.is_range) return fmt::format("{}..{}", number(pattern.value), number(pattern.mask));
  if (pattern.mask == 0) return "_";
  return fmt::format("{} &&& {}", number(pattern.value), to_hex(pattern.mask));
}

std::string text(const DataItem& item) {
  std::string out = text(item.value);
  if (!item.length.is_constant || item.length.value != item.value.width)
    out += " length " + text(item.length);
  if (!item.valid.is_constant || item.valid.value != 1) out += " if " + text(item.valid);
  return out;
}

template <class Range, class Text>
std::string join(const Range& range, Text&& to_text) {
  std::string out;
  for (const auto& element : range) {
    if (!out.empty()) out += ", ";
    out += to_text(element);
  }
  return out;
}
template <class T>
std::string list(const std::vector<T>& elements) {
  return join(elements, [](const T& element) { return text(element); });
}

std::string decision(DecisionId id) {
  return fmt::format("   ; decision {}", index(id));
}

/// Instructions and terminators as text.
class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string print(const Compute& i) const {
    const std::string slice =
        i.op == Op::Extract || i.op == Op::Insert ? fmt::format(", bits {}..{}", i.high, i.low) : "";
    return fmt::format("{} = {} {}{}", text(i.to), to_string(i.op), list(i.from), slice);
  }
  std::string print(const RaiseEvent& i) const {
    const program::EventSite& site = program_.sites[index(i.site)];
    const program::EventSchema& schema = program::schema(site.kind);
    std::vector<std::string> attributes;
    for (std::size_t n = 0; n < site.texts.size(); ++n)
      if (!schema.texts[n].empty()) attributes.push_back(site.texts[n]);
    for (std::size_t n = 0; n < i.numbers.size(); ++n)
      if (!schema.numbers[n].empty()) attributes.push_back(event_number(schema.numbers[n], i.numbers[n]));
    if (attributes.empty()) return fmt::format("event {}", schema.name);
    return fmt::format("event {}({})", schema.name, fmt::join(attributes, ", "));
  }

  std::string print(const PacketLength& i) const { return text(i.to) + " = packet.length"; }
  std::string print(const PacketRemaining& i) const { return text(i.to) + " = packet.remaining"; }
  std::string print(const PacketRead& i) const { return text(i.to) + " = packet.read"; }
  std::string print(const PacketReadVarbit& i) const {
    return fmt::format("{} = packet.read_varbit {}", text(i.to), text(i.bits));
  }
  std::string print(const PacketPeek& i) const {
    return fmt::format("{} = packet.peek +{}", text(i.to), i.offset);
  }
  std::string print(const PacketAdvance& i) const { return "packet.advance " + text(i.bits); }
  std::string print(const PacketEmit& i) const { return "packet.emit " + text(i.value); }
  std::string print(const PacketEmitVarbit& i) const {
    return fmt::format("packet.emit_varbit {}, {}", text(i.value), text(i.bits));
  }
  std::string print(const PacketCommit&) const { return "packet.commit"; }
  std::string print(const PacketTruncate& i) const { return "packet.truncate " + text(i.bytes); }

  std::string print(const Lookup& i) const {
    const tables::TableSchema& table = program_.tables[static_cast<std::size_t>(i.table)];
    std::string out = fmt::format(
        "lookup {}({}) -> hit {}, action {}, entries {}, visited {}, prefix_length {}", table.name,
        list(i.keys), text(i.hit), text(i.action), text(i.entries), text(i.visited), text(i.prefix_length));
    if (i.entry) out += ", entry " + text(*i.entry);
    for (std::size_t a = 0; a < i.data.size(); ++a)
      out += fmt::format("; {}({})", table.actions[a].name, list(i.data[a]));
    return out + decision(i.decision);
  }
  std::string print(const Hash& i) const {
    const std::string_view payload = i.data.empty() ? "payload" : ", payload";
    return fmt::format("{} = hash {}({}{})", text(i.to), kHashNames[static_cast<std::size_t>(i.algorithm)],
                       list(i.data), i.with_payload ? payload : "");
  }

  std::string print(const RegisterRead& i) const { return text(i.to) + " = register.read " + cell(i); }
  std::string print(const RegisterWrite& i) const {
    return fmt::format("register.write {}, {}", cell(i), text(i.value));
  }
  std::string print(const Count& i) const { return "count " + cell(i); }
  std::string print(const Meter& i) const { return text(i.to) + " = meter " + cell(i); }
  std::string print(const Random& i) const {
    return fmt::format("{} = random {}, {}", text(i.to), text(i.low), text(i.high));
  }

  std::string print(const Call& i) const { return "call " + name(i.procedure); }
  std::string print(const Enqueue& i) const {
    return fmt::format("enqueue {} {}{}{}", kind(i.kind), name(i.procedure), original(i.original_packet),
                       slots(i));
  }
  std::string print(const EnqueueGroup& i) const {
    return fmt::format("enqueue replica of group {} {}, port {}, instance {}{}", text(i.group),
                       name(i.procedure), text(i.port), text(i.instance), slots(i));
  }
  std::string print(const EnqueueClone& i) const {
    return fmt::format("enqueue {} of session {} {}{}, port {}, instance {}{}", kind(i.kind), text(i.session),
                       name(i.procedure), original(i.original_packet), text(i.port), text(i.instance),
                       slots(i));
  }
  std::string print(const SendPacket& i) const { return "send " + text(i.port); }
  std::string print(const DropPacket&) const { return "drop"; }
  std::string print(const Fail& i) const { return fmt::format("fail \"{}\"", i.what); }

  std::string print(const Return&) const { return "return"; }
  std::string print(const Jump& jump) const { return "jump " + text(jump.to); }
  std::string print(const Branch& branch) const {
    return fmt::format("branch {} ? {} : {}{}", text(branch.condition), text(branch.then_block),
                       text(branch.else_block), branch.is_decision ? decision(branch.decision) : "");
  }
  std::string print(const Select& select) const {
    std::string out = fmt::format("select ({})", list(select.operands));
    for (const SelectCase& candidate : select.cases)
      out += fmt::format(" ({}) {};", list(candidate.patterns), text(candidate.to));
    return out + fmt::format(" default {}{}", text(select.default_block),
                             select.is_decision ? decision(select.decision) : "");
  }

 private:
  // A constant as plain number.
  static std::string event_number(std::string_view what, const Operand& operand) {
    return operand.is_constant ? fmt::format("{} {}", what, operand.value.str())
                               : fmt::format("{} slot {}", what, text(operand.slot));
  }
  static std::string_view kind(PassKind kind) {
    if (kind == PassKind::CloneIngress) return "clone in ingress";
    if (kind == PassKind::CloneEgress) return "clone in egress";
    return to_string(kind);
  }
  static std::string_view original(bool original) { return original ? " with the original packet" : ""; }
  [[nodiscard]] const std::string& name(ProcedureId procedure) const {
    return program_.procedures[index(procedure)].name;
  }
  template <class OnObject>
  [[nodiscard]] std::string cell(const OnObject& i) const {
    return fmt::format("{}[{}]", program_.objects[index(i.object)].name, text(i.index));
  }
  template <class Pass>
  static std::string slots(const Pass& pass) {
    std::string out;
    if (!pass.keep.empty()) out += "; keep " + list(pass.keep);
    if (!pass.set.empty())
      out += "; set " + join(pass.set, [](const auto& assignment) {
               return fmt::format("{} = {}", text(assignment.first), text(assignment.second));
             });
    return out;
  }

  const Program& program_;
};

void dump_block(std::string& out, const Block& block, const Printer& printer, const SourceManager& sources) {
  std::vector<std::pair<std::string, std::string>> lines;
  lines.reserve(block.instructions.size() + 1);
  for (const Instruction& instruction : block.instructions)
    lines.emplace_back(
        sources.describe(instruction.at),
        std::visit([&](const auto& action) { return printer.print(action); }, instruction.action));
  lines.emplace_back(
      sources.describe(block.at),
      std::visit([&](const auto& terminator) { return printer.print(terminator); }, block.terminator));
  std::size_t column = 0;
  for (const auto& [place, line] : lines) column = std::max(column, place.size());
  for (const auto& [place, line] : lines) out += fmt::format("  {:<{}}  {}\n", place, column, line);
}

void dump_procedure(std::string& out, const Procedure& procedure, const Printer& printer,
                    const SourceManager& sources) {
  out += fmt::format("procedure {} ({})\n", procedure.name, text(procedure.entry));
  for (std::size_t b = 0; b < procedure.blocks.size(); ++b) {
    out += fmt::format("block {}:\n", b);
    dump_block(out, procedure.blocks[b], printer, sources);
  }
}

std::string match_text(tables::MatchKind kind, const tables::Match& match) {
  switch (kind) {
    case tables::MatchKind::Exact:
      return number(match.value);
    case tables::MatchKind::Lpm:
      return fmt::format("{}/{}", number(match.value), match.prefix_length);
    case tables::MatchKind::Range:
      return fmt::format("{}..{}", number(match.value), number(match.mask));
    case tables::MatchKind::Optional:
      return match.mask == 0 ? "_" : number(match.value);
    case tables::MatchKind::Ternary:
      return match.mask == 0 ? "_" : fmt::format("{} &&& {}", number(match.value), to_hex(match.mask));
    case tables::MatchKind::Selector:
      return "_";
  }
  return {};
}

std::string call_text(const tables::TableSchema& table, const tables::ActionCall& call) {
  return fmt::format("{}({})", table.actions[call.action].name, join(call.arguments, number));
}

void dump_table(std::string& out, const tables::TableSchema& table) {
  const bool is_table = table.role == tables::TableRole::Table;
  out += fmt::format("{} {} ({})\n", is_table ? "table" : "value_set", table.name, table.kind());
  for (const tables::KeySchema& key : table.keys)
    out += fmt::format("  key {} : {} {}\n", key.name, key.width, tables::to_string(key.kind));
  if (table.implementation)
    out +=
        fmt::format("  implementation {}{}\n", table.implementation->name,
                    table.implementation->selector
                        ? fmt::format(" selected by {}",
                                      kHashNames[static_cast<std::size_t>(*table.implementation->selector)])
                        : "");
  for (const tables::ActionSchema& action : is_table ? table.actions : std::vector<tables::ActionSchema>())
    out += fmt::format("  action {}({}){}{}\n", action.name,
                       join(action.parameters,
                            [](const tables::ParameterSchema& parameter) {
                              return fmt::format("{} : {}", parameter.name, parameter.width);
                            }),
                       action.default_only ? " default only" : "", action.table_only ? " table only" : "");
  if (is_table && !table.actions.empty())
    out += fmt::format("  default {}{}\n", call_text(table, table.default_action),
                       table.default_is_const ? " const" : "");
  if (table.size) out += fmt::format("  size {}\n", *table.size);
  for (const tables::Entry& entry : table.initial_entries) {
    std::string matches;
    for (std::size_t i = 0; i < entry.matches.size(); ++i)
      matches += (i == 0 ? "" : ", ") + match_text(table.keys[i].kind, entry.matches[i]);
    out += fmt::format("  entry ({}) {}{}{}\n", matches, call_text(table, entry.action),
                       table.has_priorities() ? fmt::format(" priority {}", entry.priority) : "",
                       table.entries_are_const ? " const" : "");
  }
}

void dump_declarations(std::string& out, const Program& program) {
  if (!program.errors.empty()) out += fmt::format("errors {}\n", fmt::join(program.errors, ", "));
  for (const packet::HeaderLayout& type : program.header_types)
    out += fmt::format("header_type {} ({})\n", type.name,
                       join(type.fields, [](const packet::FieldLayout& field) {
                         return fmt::format("{} : {}", field.name, field.width);
                       }));
  for (const HeaderInstance& header : program.headers)
    out += fmt::format("header {} ({}), valid {}\n", header.name, header.type, text(header.valid));
  for (const Object& object : program.objects)
    out += fmt::format("{} {} [{}]{}\n", kObjectKinds[static_cast<std::size_t>(object.kind)], object.name,
                       object.table
                           ? "entries of " + program.tables[static_cast<std::size_t>(*object.table)].name
                           : std::to_string(object.size),
                       object.kind == ObjectKind::Register ? fmt::format(" : {}", object.width) : "");
  for (const tables::TableSchema& table : program.tables) dump_table(out, table);
  for (std::size_t i = 0; i < program.slots.size(); ++i)
    out += fmt::format("slot {} {} : {}\n", i, program.slots[i].name, program.slots[i].width);
}

// In the order of PassKind; the names that start(pass) has.
constexpr std::array<std::string_view, 6> kPassNames{"normal", "resubmit", "recirculate",
                                                     "clone",  "clone",    "replica"};
static_assert(kPassNames.size() == static_cast<std::size_t>(PassKind::Replica) + 1);

}  // namespace

std::string_view to_string(Op op) {
  return kOpNames[static_cast<std::size_t>(op)];
}

std::string_view to_string(PassKind kind) {
  return kPassNames[static_cast<std::size_t>(kind)];
}

std::uint32_t instance_type(PassKind kind) {
  constexpr std::array<std::uint32_t, 6> kTypes{0, 6, 4, 1, 2, 5};
  static_assert(kTypes.size() == static_cast<std::size_t>(PassKind::Replica) + 1);
  return kTypes[static_cast<std::size_t>(kind)];
}

std::string dump(const Program& program, const SourceManager& sources) {
  std::string out = fmt::format("program {}\n", program.name);
  dump_declarations(out, program);
  out += fmt::format("driver ingress_port {}, packet_length {}, instance_type {}, parser_error {}\n",
                     text(program.ingress_port), text(program.packet_length), text(program.instance_type),
                     text(program.parser_error));
  if (!program.procedures.empty())
    out += fmt::format("entry {}\n", program.procedures[index(program.entry)].name);
  const Printer printer(program);
  for (const Procedure& procedure : program.procedures) dump_procedure(out, procedure, printer, sources);
  return out;
}

}  // namespace perfpact::p4::core
