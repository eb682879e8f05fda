#include <gtest/gtest.h>

#include "tests/p4/core/program_builder.h"

namespace perfpact::p4::core {
namespace {

/// The lines of the dump from the one that begins with `from` on.
std::string dump_from(const Program& program, const std::string& from, const SourceManager& sources) {
  const std::string text = dump(program, sources);
  const std::size_t begin = text.find("\n" + from);
  return begin == std::string::npos ? text : text.substr(begin + 1);
}
std::string main_of(const ProgramBuilder& b) {
  return dump_from(b.program, "procedure main", SourceManager());
}

constexpr std::string_view kHead = "procedure main (block 0)\nblock 0:\n";

TEST(Dump, PlacesStandInAColumn) {
  SourceManager sources;
  const FileId file = sources.add("l3.p4", "");
  ProgramBuilder b;
  const SlotId ttl = b.slot("hdr.ipv4.ttl", 8);
  const BlockId next = b.block();
  RaiseEvent event{b.site(program::EventKind::Compute, {"-"}), {bits(32, 8)}};
  b.add(event, {file, {60, 13}, {60, 20}});
  b.add(Compute{Op::Sub, ttl, {b.of(ttl), bits(8, 1)}}, {file, {60, 13}, {60, 20}});
  b.end(Branch{bits(1, 1), next, BlockId{0}, true, b.decision()}, {file, {58, 9}, {58, 12}});
  EXPECT_EQ(dump_from(b.program, "procedure", sources),
            "procedure main (block 0)\n"
            "block 0:\n"
            "  l3.p4:60:13  event compute(-, bits 8)\n"
            "  l3.p4:60:13  4 = sub 4, 8'1\n"
            "  l3.p4:58:9   branch 1'1 ? block 1 : block 0   ; decision 0\n"
            "block 1:\n"
            "  <built-in>  return\n");
}

TEST(Dump, Declarations) {
  ProgramBuilder b;
  const SlotId valid = b.slot("hdr.h.$valid", 1);
  b.program.headers.push_back({"hdr.h", "h_t", valid});
  b.program.header_types.push_back({"h_t", {{"a", 4}, {"b", 12}}});
  b.object(ObjectKind::Register, "ingress.r", 16, 32);
  b.object(ObjectKind::Counter, "ingress.c", 1);
  b.object(ObjectKind::Meter, "ingress.m", 2);
  EXPECT_EQ(dump(b.program, SourceManager()),
            "program test.p4\n"
            "errors NoError, PacketTooShort\n"
            "header_type h_t (a : 4, b : 12)\n"
            "header hdr.h (h_t), valid 4\n"
            "register ingress.r [16] : 32\n"
            "counter ingress.c [1]\n"
            "meter ingress.m [2]\n"
            "slot 0 ingress_port : 9\n"
            "slot 1 packet_length : 32\n"
            "slot 2 instance_type : 32\n"
            "slot 3 parser_error : 32\n"
            "slot 4 hdr.h.$valid : 1\n"
            "driver ingress_port 0, packet_length 1, instance_type 2, parser_error 3\n"
            "entry main\n"
            "procedure main (block 0)\n"
            "block 0:\n"
            "  <built-in>  return\n");
}

TEST(Dump, TableWithItsSchemaAndEntries) {
  ProgramBuilder b;
  tables::TableSchema t = one_key_table(16, tables::MatchKind::Exact);
  t.keys = {{"e", 16, tables::MatchKind::Exact, {}},   {"l", 32, tables::MatchKind::Lpm, {}},
            {"t", 16, tables::MatchKind::Ternary, {}}, {"r", 8, tables::MatchKind::Range, {}},
            {"o", 8, tables::MatchKind::Optional, {}}, {"s", 8, tables::MatchKind::Selector, {}}};
  t.actions[0].table_only = true;
  t.actions[1].default_only = true;
  t.default_is_const = true;
  t.size = 1024;
  t.entries_are_const = true;
  tables::Entry entry;
  entry.matches = {{5, 0xffff}, {0x0a000000, 0xff000000, 8}, {0x100, 0xf00}, {1, 3}, {7, 0xff}, {}};
  entry.priority = 3;
  entry.action = {0, {300}};
  tables::Entry any = entry;
  any.matches[2] = {0, 0};
  any.matches[4] = {0, 0};
  t.initial_entries = {entry, any};
  b.program.tables.push_back(t);
  const std::string text = dump_from(b.program, "table ", SourceManager());
  EXPECT_EQ(text.substr(0, text.find("slot 0")),
            "table ingress.t (range)\n"
            "  key e : 16 exact\n"
            "  key l : 32 lpm\n"
            "  key t : 16 ternary\n"
            "  key r : 8 range\n"
            "  key o : 8 optional\n"
            "  key s : 8 selector\n"
            "  action ingress.set(value : 16) table only\n"
            "  action NoAction() default only\n"
            "  default NoAction() const\n"
            "  size 1024\n"
            "  entry (5, 0xa000000/8, 0x100 &&& 0xf00, 1..3, 7, _) ingress.set(0x12c) priority 3 const\n"
            "  entry (5, 0xa000000/8, _, 1..3, _, _) ingress.set(0x12c) priority 3 const\n");
}

TEST(Dump, Computations) {
  ProgramBuilder b;
  const SlotId x = b.slot("x", 8);
  b.compute(Op::Copy, x, {bits(8, 255)});
  b.compute(Op::Concat, x, {bits(4, 1), bits(4, 2)});
  b.compute(Op::Extract, x, {bits(16, 256)}, 11, 4);
  b.compute(Op::Insert, x, {b.of(x), bits(2, 1)}, 1, 0);
  b.compute(Op::Choose, x, {bits(1, 1), b.of(x), bits(8, 0)});
  EXPECT_EQ(main_of(b), std::string(kHead) +
                            "  <built-in>  4 = copy 8'255\n"
                            "  <built-in>  4 = concat 4'1, 4'2\n"
                            "  <built-in>  4 = extract 16'0x100, bits 11..4\n"
                            "  <built-in>  4 = insert 4, 2'1, bits 1..0\n"
                            "  <built-in>  4 = choose 1'1, 4, 8'0\n"
                            "  <built-in>  return\n");
}

TEST(Dump, EventsWithTheirNames) {
  ProgramBuilder b;
  const SlotId visited = b.slot("visited", 64);
  b.raise(program::EventKind::TableApply, {bits(64, 3), bits(32, 44), bits(1, 1), b.of(visited), bits(32, 0)},
          {"ingress.t", "ternary"});
  b.raise(program::EventKind::Drop);
  EXPECT_EQ(main_of(b),
            std::string(kHead) +
                "  <built-in>  event table.apply(ingress.t, ternary, entries 3, key_bits 44, hit 1, "
                "visited slot 4, prefix_length 0)\n"
                "  <built-in>  event drop\n"
                "  <built-in>  return\n");
}

TEST(Dump, Packet) {
  ProgramBuilder b;
  const SlotId x = b.slot("x", 32);
  b.add(PacketLength{x});
  b.add(PacketRemaining{x});
  b.add(PacketRead{x});
  b.add(PacketReadVarbit{x, bits(32, 16)});
  b.add(PacketPeek{x, 7});
  b.add(PacketAdvance{bits(32, 8)});
  b.add(PacketEmit{b.of(x)});
  b.add(PacketEmitVarbit{b.of(x), bits(32, 16)});
  b.add(PacketCommit{});
  b.add(PacketTruncate{bits(32, 60)});
  EXPECT_EQ(main_of(b), std::string(kHead) +
                            "  <built-in>  4 = packet.length\n"
                            "  <built-in>  4 = packet.remaining\n"
                            "  <built-in>  4 = packet.read\n"
                            "  <built-in>  4 = packet.read_varbit 32'16\n"
                            "  <built-in>  4 = packet.peek +7\n"
                            "  <built-in>  packet.advance 32'8\n"
                            "  <built-in>  packet.emit 4\n"
                            "  <built-in>  packet.emit_varbit 4, 32'16\n"
                            "  <built-in>  packet.commit\n"
                            "  <built-in>  packet.truncate 32'60\n"
                            "  <built-in>  return\n");
}

TEST(Dump, LookupHashAndObjects) {
  ProgramBuilder b;
  const SlotId x = b.slot("x", 16);
  b.add(b.lookup(one_key_table(16, tables::MatchKind::Exact), {b.of(x)}));
  const DataItem plain{b.of(x), bits(32, 16), bits(1, 1)};
  const DataItem part{b.of(x), bits(32, 8), Operand::of(SlotId{5}, 1)};
  b.add(Hash{HashAlgorithm::Crc16, x, {plain, part}, true});
  b.add(Hash{HashAlgorithm::Csum16, x, {}, true});
  b.add(Hash{HashAlgorithm::Identity, x, {plain}, false});
  const ObjectId r = b.object(ObjectKind::Register, "r", 4, 16);
  const ObjectId c = b.object(ObjectKind::Counter, "c", 4);
  const ObjectId m = b.object(ObjectKind::Meter, "m", 4);
  b.add(RegisterRead{r, bits(8, 1), x});
  b.add(RegisterWrite{r, bits(8, 1), b.of(x)});
  b.add(Count{c, bits(8, 2)});
  b.add(Meter{m, bits(8, 3), x});
  b.add(Random{x, bits(16, 1), bits(16, 6)});
  EXPECT_EQ(main_of(b), std::string(kHead) +
                            "  <built-in>  lookup ingress.t(4) -> hit 5, action 6, entries 7, visited 8, "
                            "prefix_length 9; ingress.set(10); NoAction()   ; decision 0\n"
                            "  <built-in>  4 = hash crc16(4, 4 length 32'8 if 5, payload)\n"
                            "  <built-in>  4 = hash csum16(payload)\n"
                            "  <built-in>  4 = hash identity(4)\n"
                            "  <built-in>  4 = register.read r[8'1]\n"
                            "  <built-in>  register.write r[8'1], 4\n"
                            "  <built-in>  count c[8'2]\n"
                            "  <built-in>  4 = meter m[8'3]\n"
                            "  <built-in>  4 = random 16'1, 16'6\n"
                            "  <built-in>  return\n");
}

TEST(Dump, CallsPassesAndFates) {
  ProgramBuilder b;
  const SlotId x = b.slot("x", 16);
  const SlotId port = b.slot("port", 9);
  b.add(Call{ProcedureId{0}});
  b.add(Enqueue{PassKind::Resubmit, ProcedureId{0}, true, {x, port}, {{x, bits(16, 6)}}});
  b.add(EnqueueGroup{b.of(x), ProcedureId{0}, {x}, {}, port, x});
  b.add(EnqueueClone{b.of(x), PassKind::CloneIngress, ProcedureId{0}, true, {}, {}, port, x});
  b.add(EnqueueClone{b.of(x), PassKind::CloneEgress, ProcedureId{0}, false, {}, {}, port, x});
  b.add(SendPacket{b.of(port)});
  b.add(DropPacket{});
  b.add(Fail{"assertion failed"});
  EXPECT_EQ(main_of(b),
            std::string(kHead) +
                "  <built-in>  call main\n"
                "  <built-in>  enqueue resubmit main with the original packet; keep 4, 5; set 4 = 16'6\n"
                "  <built-in>  enqueue replica of group 4 main, port 5, instance 4; keep 4\n"
                "  <built-in>  enqueue clone in ingress of session 4 main with the original packet, port 5, "
                "instance 4\n"
                "  <built-in>  enqueue clone in egress of session 4 main, port 5, instance 4\n"
                "  <built-in>  send 5\n"
                "  <built-in>  drop\n"
                "  <built-in>  fail \"assertion failed\"\n"
                "  <built-in>  return\n");
}

TEST(Dump, Terminators) {
  ProgramBuilder b;
  const SlotId x = b.slot("x", 16);
  const BlockId one = b.block();
  const BlockId two = b.block();
  Select select{{b.of(x), bits(8, 2)}, {}, two, true, b.decision()};
  select.cases.push_back({{Pattern{false, 0x800, 0xffff}, Pattern{false, 0, 0}}, one});
  select.cases.push_back({{Pattern{true, 1, 5}, Pattern{false, 0x10, 0xf0}}, two});
  b.end(select);
  b.at(one);
  b.end(Jump{two});
  b.at(two);
  b.end(Branch{bits(1, 0), one, two});
  EXPECT_EQ(main_of(b),
            std::string(kHead) +
                "  <built-in>  select (4, 8'2) (0x800 &&& 0xffff, _) block 1; (1..5, 16 &&& 0xf0) "
                "block 2; default block 2   ; decision 0\n"
                "block 1:\n"
                "  <built-in>  jump block 2\n"
                "block 2:\n"
                "  <built-in>  branch 1'0 ? block 1 : block 2\n");
}

TEST(Dump, PassNamesAreThoseOfTheStartEvent) {
  const auto names = program::possible_texts(program::EventKind::Start, "pass");
  for (auto kind : {PassKind::Normal, PassKind::Resubmit, PassKind::Recirculate, PassKind::CloneIngress,
                    PassKind::CloneEgress, PassKind::Replica})
    EXPECT_NE(std::ranges::find(names, to_string(kind)), names.end()) << to_string(kind);
}

}  // namespace
}  // namespace perfpact::p4::core
