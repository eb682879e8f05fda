#include "check_program.h"

namespace perfpact::p4 {
namespace {

TEST(Types, AcceptsDeclarations) {
  expect_right(R"(
typedef bit<48> Mac;
type bit<32> Id;
enum bit<4> Few { A = 1, B = 2 }
struct Pair<T> { T first; T second; }
header Eth { Mac dst; Few kind; bit<4> rest; bool f; bit<7> pad; }
header Vlan { bit<16> tag; }
header_union Either { Eth e; Vlan v; }
struct All { Eth eth; Vlan[2] tags; Either either; Pair<bit<8>> pair; tuple<bit<8>, Id> t; }
const bit<8> width = 4 * 2;
const Pair<bit<8>> both = { first = 1, second = width };
const bit<8> second = both.second;
typedef bit<width> Byte;
)");
}

TEST(Types, KnowsConstants) {
  Checked checked = expect_right(R"(
struct S { bit<8> a; bit<16> b; }
const S s = { b = 2, a = 300 };
const bit<8> a = s.a;
const int<8> negative = -128 - 1;
const bit<12> joined = 4w0xa ++ 8w0xbc;
const bool less = 3 < 4 && !(2 == 3);
)");
  ASSERT_NE(checked.program, nullptr);
  auto value = [&](std::string_view name) {
    for (const ast::Declaration* declaration : checked.program->ast().declarations) {
      if (declaration->name.text == name) return *checked.program->value_of(*declaration);
    }
    return Constant{};
  };
  EXPECT_EQ(*value("a").integer(), 44);
  EXPECT_EQ(*value("negative").integer(), 127);
  EXPECT_EQ(*value("joined").integer(), 0xabc);
  EXPECT_TRUE(*value("less").boolean());
}

TEST(Types, RefusesWrongOnes) {
  expect_fault("struct S { bit<8> a; bit<9> a; }", "duplicate-declaration", "'a' is declared twice");
  expect_fault("struct S { int a; }", "bad-type", "a field of a struct cannot be of type 'int'");
  expect_fault("error { A } header H { error e; }", "bad-type", "a field of a header cannot be of type");
  expect_fault("struct I {} header_union U { I a; }", "bad-type", "a field of a header_union cannot be");
  expect_fault("typedef bit<(0 - 1)> T;", "bad-width",
               "the width of a bit must be between 0 and 65536, not -1");
  expect_fault("struct S<T> { T a; } typedef S T2;", "type-arguments",
               "'S' takes 1 type argument, but none given");
  expect_fault("enum bool E { A = true }", "bad-type",
               "the representation of an enum cannot be of type 'bool'");
  expect_fault("const int a = 1; const int a = 2;", "duplicate-declaration", "first declared here");
  expect_fault("error { A, A }", "duplicate-declaration", "'A' is declared twice");
  expect_fault("bit<8> f(in bit<8> x) { return x; } const bit<8> c = f(1);", "not-known",
               "the value of a constant");
  expect_fault("#include <core.p4>\nconst bool ok = static_assert(1 == 2);", "static-assert",
               "does not hold");
}

TEST(Names, AreTypesOrValues) {
  expect_fault("U f<T>(in T x) { return x; }", "unknown-type", "there is no type 'U'; did you mean 'T'?");
  expect_fault("const bit<8> x = 1; x f(in bit<8> y) { return y; }", "not-a-type", "'x' is not a type");
  expect_fault("extern E { E(); } struct S { E[2] x; }", "not-checked-yet",
               "not supported yet: arrays of extern instances");
  expect_fault("extern X { void X(); }", "bad-declaration", "constructor 'X' cannot have a return type");
  expect_fault("struct S { bit<8> x; } control C(out S s) { action n() {} apply { s = { n() }; } }",
               "no-value", "'void' is not a value");
}

TEST(Functions, AreChecked) {
  expect_right("bit<8> f(in bit<8> x) { if (x == 1) { return 2; } else { return x; } }");
  expect_right("T id<T>(in T x) { return x; } bit<8> f(in bit<8> x) { return id(x) + id<bit<8>>(1); }");
  expect_right("bit<8> f(in bit<8> x) { return x; } bit<8> f(in bit<8> x, in bit<8> y) { return f(x) + y; }");
  expect_fault("bit<8> f(in bit<8> x) { if (x == 1) { return 2; } }", "missing-return",
               "'f' can end without");
  expect_fault("void f() { return 1; }", "bad-return", "nothing is returned here");
  expect_fault("bit<8> f() { return; }", "bad-return", "a value of type 'bit<8>' must be returned");
  expect_fault("void f() { f(); }", "recursion", "'f' calls itself");
  expect_fault("void f() { exit; }", "misplaced", "'exit' is not allowed in a function");
  expect_fault("void f() { break; }", "misplaced", "'break' is not allowed in a place outside of loops");
  expect_fault("extern void g<T>(in T x); void f() { g(5); }", "no-width",
               "an argument of 'g' needs a width here");
  expect_fault("extern T g<T>(); void f() { g(); }", "cannot-infer", "cannot infer type argument 'T' of 'g'");
}

TEST(Calls, MatchArguments) {
  const std::string g = "extern void g(in bit<8> a, out bit<8> b); ";
  expect_right(g + "void f() { bit<8> x; g(1, x); g(b = x, a = 2); g(1, _); }");
  expect_fault(g + "void f() { g(1); }", "missing-argument", "no argument for parameter 'b' of 'g'");
  expect_fault(g + "void f() { bit<8> x; g(1, x, 2); }", "argument-count",
               "'g' takes 2 arguments, but 3 given");
  expect_fault(g + "void f() { bit<8> x; g(a = 1, c = x); }", "unknown-parameter",
               "'g' has no parameter 'c'");
  expect_fault(g + "void f() { bit<8> x; g(a = 1, a = 2, b = x); }", "argument-count", "");
  expect_fault(g + "void f() { bit<8> x; g(a = 1, x); }", "mixed-arguments",
               "either all named or all in order");
  expect_fault(g + "void f() { g(1, 2); }", "not-assignable", "only variables, fields, elements and slices");
  expect_fault(g + "void f() { bit<9> x; g(1, x); }", "type-mismatch",
               "expected 'bit<8>', but this is 'bit<9>'");
  expect_fault(g + "void f() { bit<8> x; g(_, x); }", "bad-argument", "'_' is for 'out' parameters");
  expect_fault("extern void g(bit<8> a); void f(in bit<8> x) { g(x); }", "not-known", "the argument for 'a'");
  expect_fault(
      "extern void g(in bit<8> a); extern void g(in bit<8> a, in bit<8> b); void f() { g(1, 2, 3); }",
      "no-overload", "no 'g' takes these arguments");
}

TEST(Calls, InferTypeArguments) {
  Checked checked = expect_right(
      "extern T max<T>(in T a, in T b); void f(in bit<8> x) { bit<8> y = max(1, x) + max(x, 2); }");
  const auto* function = ast::cast<ast::Function>(checked.program->ast().declarations.back());
  const auto* statement = ast::cast<ast::DeclarationStatement>(function->body->statements.front());
  const auto* sum = ast::cast<ast::Binary>(ast::cast<ast::Variable>(statement->declaration)->initializer);
  const CallTarget* target = checked.program->call(*sum->left);
  ASSERT_NE(target, nullptr);
  ASSERT_EQ(target->arguments.size(), 2U);
  EXPECT_EQ(to_string(target->type), "bit<8>");
  EXPECT_EQ(to_string(target->arguments[0].type), "bit<8>");
  EXPECT_EQ(to_string(checked.program->cast_of(*target->arguments[0].value)), "bit<8>");
}

TEST(Calls, FindTheOneThatIsMeant) {
  expect_fault("extern void g(in bit<8> a, in bit<8> b = 3); void f() { g(a = 1, a = 2); }",
               "duplicate-argument", "parameter 'a' is given twice");
  expect_fault("extern void g(in bit<8> a); extern void g(in bit<8> b); void f() { g(1); }",
               "ambiguous-overload", "more than one 'g' takes these arguments");
}

TEST(Actions, HaveRulesOfTheirOwn) {
  expect_fault(in_control("", "action a(bit<8> d, in bit<8> e) {}"), "bad-direction",
               "must stand before those without");
  expect_fault(in_control("", "action a() { t2(); } "), "unknown-name", "there is no 't2' here");
  expect_fault(in_control("", "action a() { a(); } "), "recursion", "'a' calls itself");
  expect_fault("action a() {} void f() { a(); }", "misplaced",
               "calling an action is not allowed in a function");
}

TEST(Tables, AreChecked) {
  Checked checked = expect_right(in_control("", R"(
    table u {
      key = { h.x : exact; y : ternary; i : lpm; }
      actions = { set; copy(x); @defaultonly nothing; }
      default_action = copy(x, 7);
      const entries = { (1, 2 &&& 3, _) : set(5); (2, _, 0x10 &&& 0xf0) : copy(6); }
      size = 2 * 512;
    })"));
  ASSERT_NE(checked.program, nullptr);
  const auto* control = ast::cast<ast::Control>(checked.program->ast().declarations.back());
  const TableInfo* info = checked.program->table(*ast::cast<ast::Table>(control->locals.back()));
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->keys.size(), 3U);
  EXPECT_EQ(info->keys[1].match_kind, "ternary");
  EXPECT_EQ(info->actions.size(), 3U);
  EXPECT_EQ(info->default_action, 1U);
  ASSERT_EQ(info->default_reference.arguments.size(), 2U);
  EXPECT_NE(info->default_reference.arguments[0].value, nullptr);
  EXPECT_EQ(info->actions[1].reference.arguments[1].value, nullptr);
  ASSERT_EQ(info->entries.size(), 2U);
  EXPECT_EQ(info->entries[1].action, 1U);
  EXPECT_NE(info->entries[1].reference.arguments[0].value, nullptr);
  EXPECT_EQ(*info->size, 1024);
}

TEST(Tables, AddNoActionWhereItIsTheDefault) {
  Checked checked = expect_right(in_control("", "table u { key = { x : exact; } actions = { set; } }"));
  const auto* control = ast::cast<ast::Control>(checked.program->ast().declarations.back());
  const TableInfo* info = checked.program->table(*ast::cast<ast::Table>(control->locals.back()));
  ASSERT_EQ(info->actions.size(), 2U);
  EXPECT_EQ(info->actions[1].element, nullptr);
  EXPECT_EQ(info->default_reference.action->name.text, "NoAction");
  EXPECT_FALSE(info->default_action.has_value());
}

void expect_table_fault(const std::string& body, std::string_view id, std::string_view message) {
  expect_fault(in_control("", "table u { " + body + " }"), id, message);
}

TEST(Tables, RefuseWhatIsWrong) {
  expect_table_fault("key = { x : exakt; } actions = { set; }", "unknown-match-kind",
                     "did you mean 'exact'?");
  expect_table_fault("key = { x : exact; } actions = { sett; }", "unknown-action", "did you mean 'set'?");
  expect_table_fault("key = { x : exact; } actions = { set; } default_action = nothing();", "not-in-actions",
                     "action 'nothing' is not among the actions of table 'u'");
  expect_table_fault("key = { x : exact; }", "no-actions", "table 'u' has no actions");
  expect_table_fault("key = { h.h : exact; } actions = { set; }", "bad-type",
                     "a key cannot be of type 'header H'");
  expect_table_fault("key = { 5 : exact; } actions = { set; }", "no-width", "a key needs a width");
  expect_table_fault("key = { x : exact; } actions = { copy; }", "missing-argument", "'from' of 'copy'");
  expect_table_fault("key = { x : exact; } actions = { set; set; }", "duplicate-declaration",
                     "'set' is declared twice");
  expect_table_fault("key = { x : exact; } actions = { set; } size = 1; size = 2;", "duplicate-property",
                     "'size'");
  expect_table_fault("key = { x : exact; } actions = { set; } default_action = 5;", "bad-property",
                     "must be an action");
  expect_table_fault("key = { x : exact; } actions = { set; } size = -1;", "bad-width", "at least 0");
  expect_table_fault("actions = { nothing; } const entries = { _ : nothing(); }", "bad-entry",
                     "entries but no key");
}

void expect_entry_fault(const std::string& entry, std::string_view id, std::string_view message) {
  expect_table_fault(
      "key = { x : exact; y : lpm; } actions = { set; nothing; @defaultonly copy(x); } const entries = { " +
          entry + " }",
      id, message);
}

TEST(Tables, RefuseWrongEntries) {
  expect_entry_fault("1 : set(2);", "bad-keyset", "2 keys expected here, but 1 given");
  expect_entry_fault("(1, true) : set(2);", "type-mismatch", "expected 'bit<16>', but this is 'bool'");
  expect_entry_fault("(1, 2) : set();", "missing-argument", "no argument for parameter 'value'");
  expect_entry_fault("(1, 2) : set(y);", "type-mismatch", "expected 'bit<8>'");
  expect_entry_fault("(1, 2) : set(x);", "not-known", "the value for 'value'");
  expect_entry_fault("(x, 2) : set(1);", "not-known", "a key of an entry");
  expect_entry_fault("(1 &&& 3, 2) : set(1);", "bad-entry",
                     "a mask cannot be matched by a key of kind 'exact'");
  expect_entry_fault("(1, 2 &&& 3) : set(1);", "bad-entry", "a mask that is no prefix");
  expect_entry_fault("(1, 2) : copy(1);", "bad-entry", "marked @defaultonly");
  expect_entry_fault("(1, 2 .. 3) : set(1);", "bad-entry",
                     "a range cannot be matched by a key of kind 'lpm'");
}

TEST(Switches, AreChecked) {
  expect_fault(in_control("switch (t.apply().action_run) { copy: {} }"), "bad-label",
               "'copy' is no action of table 't'");
  expect_fault(in_control("switch (t.apply().action_run) { set: {} set: {} }"), "duplicate-label",
               "stands twice");
  expect_fault(in_control("switch (x) { 1: {} 1: {} }"), "duplicate-label", "stands twice");
  expect_fault(in_control("switch (x) { default: {} 1: {} }"), "bad-label", "after 'default'");
  expect_fault(in_control("switch (x) { y: {} }"), "type-mismatch", "expected 'bit<8>'");
}

std::string in_parser(const std::string& states) {
  return "#include <core.p4>\nheader H { bit<8> a; } header V { varbit<8> v; } struct S { H h; H[2] hs; V v; "
         "}\n"
         "parser P(packet_in p, out S s) { value_set<bit<8>>(4) set;\n" +
         states + "}\n";
}

TEST(Parsers, AreChecked) {
  expect_right(in_parser(R"(
    state start { p.extract(s.h); transition select(s.h.a, p.lookahead<bit<8>>()) {
      (1, 2 &&& 3): more; (4 .. 5, _): more; (set, 1): accept; default: reject; } }
    state more { p.extract(s.hs.next); p.extract(s.v, 8); s.h.a = s.hs.last.a; transition accept; })"));
  expect_fault(in_parser("state start { transition stop; }"), "unknown-state", "there is no state 'stop'");
  expect_fault(in_parser("state begin { transition accept; }"), "missing-start", "no state 'start'");
  expect_fault(in_parser("state start { transition accept; } state accept {}"), "reserved-state",
               "'accept' is built in");
  expect_fault(in_parser("state start {} state start {}"), "duplicate-declaration",
               "'start' is declared twice");
  expect_fault(in_parser("state start { transition select(s.h.a) { true: accept; } }"), "type-mismatch",
               "'bit<8>'");
  expect_fault(in_parser("state start { transition select(s.h) { _: accept; } }"), "bad-keyset",
               "cannot be selected on");
  expect_fault(in_parser("state start { transition select(1) { _: accept; } }"), "no-width",
               "a key of 'select'");
  expect_fault(in_parser("state start { p.extract(s.h.a); }"), "bad-argument", "only headers are extracted");
  expect_fault(in_parser("state start { p.extract(s.v); }"), "bad-argument", "its size must be given");
  expect_fault(in_parser("state start { p.extract(s.h, 8); }"), "bad-argument", "has no varbit field");
  expect_fault(in_parser("state start { p.lookahead<V>(); }"), "bad-argument", "needs a type of fixed size");
  expect_fault(in_parser("state start { p.extrakt(s.h); }"), "unknown-member", "did you mean 'extract'?");
  Checked checked =
      expect_right(in_parser("state start { transition select(s.h.a) { 5 .. 1: accept; } } state lost {}"));
  EXPECT_EQ(checked.count("unreachable-state"), 1U);
  EXPECT_EQ(checked.count("empty-range"), 1U);
}

TEST(Instances, AreChecked) {
  const std::string arch = R"(#include <core.p4>
    extern Reg<T> { Reg(bit<32> size); T read(in bit<32> index); }
    extern Hook { Hook(); abstract bit<8> f(in bit<8> x); }
    control Pipe<H>(inout H h); package Top<H>(Pipe<H> pipe, bit<8> n);
    struct S { bit<8> x; }
    )";
  expect_right(arch +
               R"(control C(inout S s)(bit<8> n) { Reg<bit<8>>(16) r; apply { s.x = r.read(n ++ 24w0); } }
                         Top(C(3), 4) main;)");
  expect_right(arch + "control C() { Hook() h = { bit<8> f(in bit<8> x) { return x; } }; apply {} }");
  expect_fault(arch + "control C(inout S s) { Reg<bit<8>>() r; apply {} }", "missing-argument",
               "'size' of 'Reg'");
  expect_fault(arch + "control C(inout S s) { Reg(16) r; apply {} }", "cannot-infer", "'T' of 'Reg'");
  expect_fault(arch + "control C(in S s) { apply {} } Top(C(), 4) main;", "type-mismatch", "control C");
  expect_fault(arch + "Hook() h;", "abstract-method", "abstract method 'f' is not implemented");
  expect_fault(arch + "Reg<bit<8>>(3) main;", "bad-main", "'main' must be an instance of a package");
  expect_fault(arch + "control C(inout S s) { apply {} } C() c;", "misplaced",
               "an instance of a parser or control");
  expect_fault(arch + "extern E { E(); } control C(inout S s) { action a() { E() e; } apply {} }",
               "misplaced", "");
  expect_fault(arch + "S(1) s;", "not-callable", "'S' has no constructor");
}

TEST(V1model, InfersTheWholeSwitch) {
  Checked checked = expect_right(R"(
#include <core.p4>
#include <v1model.p4>
header eth_t { bit<48> dst; bit<48> src; bit<16> type; }
struct headers { eth_t eth; }
struct metadata { bit<16> x; }
parser P(packet_in p, out headers h, inout metadata m, inout standard_metadata_t s) {
  state start { p.extract(h.eth); transition accept; }
}
control V(inout headers h, inout metadata m) { apply {} }
control I(inout headers h, inout metadata m, inout standard_metadata_t s) {
  apply {
    hash(m.x, HashAlgorithm.crc16, 16w0, { h.eth.dst, h.eth.src }, 16w100);
    if (h.eth.type == 0x800) mark_to_drop(s);
    s.egress_spec = 3;
    log_msg("x is {}", {m.x});
  }
}
control E(inout headers h, inout metadata m, inout standard_metadata_t s) { apply {} }
control U(inout headers h, inout metadata m) {
  apply { update_checksum(true, { h.eth.dst, 4w0, h.eth.type[3:0] }, m.x, HashAlgorithm.csum16); }
}
control D(packet_out p, in headers h) { apply { p.emit(h); p.emit(h.eth); } }
V1Switch(P(), V(), I(), E(), U(), D()) main;
)");
  ASSERT_NE(checked.program, nullptr);
  ASSERT_NE(checked.program->main(), nullptr);
  EXPECT_EQ(to_string(checked.program->type_of(*checked.program->main())),
            "package V1Switch<struct headers, struct metadata>");
}

}  // namespace
}  // namespace perfpact::p4
