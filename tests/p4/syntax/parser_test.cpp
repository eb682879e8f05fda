#include "p4/syntax/parser.h"

#include <gtest/gtest.h>

#include "parse_text.h"

namespace perfpact::p4 {
namespace {

/// The dump of a program that must parse.
std::string dumped(std::string_view text) {
  auto parsed = parse_text(text);
  if (!parsed->tree) return parsed->report();
  return parsed->dumped();
}

/// An expression in canonical text, after declarations of types S, E, G<T> and values.
std::string expression(std::string_view text) {
  std::string program = fmt::format(
      "struct S {{ bit<8> a; }} enum E {{ A, B }} extern G<T> {{ G(); T get<U>(in U u); }} const bit<8> v = "
      "{};\n",
      text);
  auto parsed = parse_text(program);
  if (!parsed->tree) return parsed->report();
  return ast::to_source(*ast::cast<ast::Constant>(parsed->tree->declarations.back())->value);
}

/// What the statements of an apply block are, without their places.
std::string statements(std::string_view text) {
  auto parsed = parse_text(
      fmt::format("struct S {{ bit<8> a; }} extern G<T> {{ G(); void put<U>(in U u); }} action act() {{}}\n"
                  "control k() {{ apply {{}} }} control c(inout S s) {{ apply {{ {} }} }}\n",
                  text));
  if (!parsed->tree) return parsed->report();
  const auto* control = ast::cast<ast::Control>(parsed->tree->declarations.back());
  std::string result;
  for (const ast::Statement* each : control->body->statements) {
    if (const auto* call = ast::dyn_cast<ast::CallStatement>(each)) {
      result += "call " + ast::to_source(*call->call);
    } else if (const auto* assign = ast::dyn_cast<ast::Assign>(each)) {
      result += fmt::format("assign {} {}= {}", ast::to_source(*assign->left),
                            assign->op ? ast::spelling(*assign->op) : "", ast::to_source(*assign->right));
    } else if (const auto* declared = ast::dyn_cast<ast::DeclarationStatement>(each)) {
      result += ast::isa<ast::Variable>(declared->declaration)   ? "variable "
                : ast::isa<ast::Instance>(declared->declaration) ? "instance "
                                                                 : "constant ";
      result += declared->declaration->name.text;
    } else {
      result += fmt::format("kind {}", static_cast<int>(each->kind));
    }
    result += "; ";
  }
  return result;
}

TEST(Expressions, BindAsInTheSpecification) {
  EXPECT_EQ(expression("1 + 2 * 3 ++ 4"), "1 + 2 * 3 ++ 4");
  EXPECT_EQ(expression("(1 + 2) * 3"), "(1 + 2) * 3");
  EXPECT_EQ(expression("1 - (2 - 3)"), "1 - (2 - 3)");
  EXPECT_EQ(expression("1 & 2 == 3"), "1 & 2 == 3");
  EXPECT_EQ(expression("1 & (2 == 3)"), "1 & (2 == 3)");
  EXPECT_EQ(expression("1 | 2 ^ 3 & 4 << 5"), "1 | 2 ^ 3 & 4 << 5");
  EXPECT_EQ(expression("-x.y[1][7:0]"), "-x.y[1][7:0]");
  EXPECT_EQ(expression("a ? b : c ? d : e"), "a ? b : c ? d : e");
  EXPECT_EQ(expression("(a ? b : c) ? d : e"), "(a ? b : c) ? d : e");
  EXPECT_EQ(expression("a |+| b |-| 4w0x_F"), "a |+| b |-| 4w0xF");
  EXPECT_EQ(expression("!a && ~b == 1 || c"), "!a && ~b == 1 || c");
}

TEST(Expressions, TellShiftsComparisonsAndTypeArgumentsApart) {
  EXPECT_EQ(expression("a >> 2 > b"), "a >> 2 > b");
  EXPECT_EQ(expression("a < b && c > (d)"), "a < b && c > d");
  EXPECT_EQ(expression("a < b"), "a < b");
  EXPECT_EQ(expression("g.get<bit<8>>(1)"), "g.get<bit<8>>(1)");
  EXPECT_EQ(expression("g.get<G<bit<8>>>(1)"), "g.get<G<bit<8>>>(1)");
  EXPECT_EQ(expression("g.get<_>(1)"), "g.get<_>(1)");
  EXPECT_EQ(expression("a < E.A"), "a < E.A");
  EXPECT_EQ(expression("G<bit<8>>()"), "G<bit<8>>()");
  EXPECT_EQ(expression("g.get<bit<(1 > 0 ? 8 : 4)>>(1)"), "g.get<bit<(1 > 0 ? 8 : 4)>>(1)");
}

TEST(Expressions, TellCastsFromParentheses) {
  EXPECT_EQ(expression("(bit<8>) x.y"), "(bit<8>) x.y");
  EXPECT_EQ(expression("(S) {a = 1}"), "(S) {a = 1}");
  EXPECT_EQ(expression("(x)"), "x");
  EXPECT_EQ(expression("(E.A)"), "E.A");
  EXPECT_EQ(expression("(S[2]) x"), "(S[2]) x");
  EXPECT_EQ(expression("(.S) x"), "(.S) x");
  EXPECT_EQ(expression("(error.NoError == e)"), "error.NoError == e");
  EXPECT_EQ(expression("(bit<8>) -(int<8>) 1"), "(bit<8>) -(int<8>) 1");
}

TEST(Expressions, HaveLists) {
  EXPECT_EQ(expression("{1, 2,}"), "{1, 2}");
  EXPECT_EQ(expression("{}"), "{}");
  EXPECT_EQ(expression("{a = 1, ...}"), "{a = 1, ...}");
  EXPECT_EQ(expression("{1, ...}"), "{1, ...}");
  EXPECT_EQ(expression("{#}"), "{#}");
  EXPECT_EQ(expression("..."), "...");
  EXPECT_EQ(expression("x[3 +: 4]"), "x[3 +: 4]");
  EXPECT_EQ(expression("f(_, a = _, b = 1)"), "f(_, a = _, b = 1)");
  EXPECT_EQ(expression("\"a\\\"b\""), "\"a\\\"b\"");
  EXPECT_EQ(expression("this.f(.x, priority, key)"), "this.f(.x, priority, key)");
}

TEST(Statements, TellDeclarationsFromCallsAndAssignments) {
  EXPECT_EQ(statements("S x; x = s; S y = {1}; S[2] z; bit<8> w[3];"),
            "variable x; assign x = s; variable y; variable z; variable w; ");
  EXPECT_EQ(statements("k.apply(); G<bit<8>>() g; g.put<bit<8>>(1); act(); .act();"),
            "call k.apply(); instance g; call g.put<bit<8>>(1); call act(); call .act(); ");
  EXPECT_EQ(statements("const bit<8> c = 1; (s).a = c; s.a[3:0] = 1;"),
            "constant c; assign s.a = c; assign s.a[3:0] = 1; ");
}

TEST(Statements, HaveCompoundAssignments) {
  EXPECT_EQ(statements("s.a += 1; s.a |+|= 1; s.a |-|= 1; s.a <<= 1; s.a >>= 1; s.a ^= 1; s.a %= 2;"),
            "assign s.a += 1; assign s.a |+|= 1; assign s.a |-|= 1; assign s.a <<= 1; assign s.a >>= 1; "
            "assign s.a ^= 1; assign s.a %= 2; ");
}

TEST(Statements, AValueHidesATypeOfTheSameName) {
  EXPECT_EQ(statements("bit<8> S; S = 1;"), "variable S; assign S = 1; ");
  EXPECT_EQ(statements("{ bit<8> S; } S x;"), "kind 41; variable x; ");
}

TEST(Statements, HaveLoopsAndSwitches) {
  EXPECT_EQ(
      dumped("control c() { apply { for (bit<8> i = 0, bit<8> j = 1; i < 4; i += 1, j = 2) { continue; }\n"
             "for (@x bit<8> k in 0 .. 3) break;\n"
             "switch (t.apply().action_run) { a: b: { return; } default: { exit; } } } }"),
      "control 1:1 c\n"
      "  block 1:21\n"
      "    for 1:23 i < 4\n"
      "      init\n"
      "        variable 1:28 bit<8> i = 0\n"
      "        variable 1:42 bit<8> j = 1\n"
      "      update\n"
      "        assign 1:63 i += 1\n"
      "        assign 1:71 j = 2\n"
      "      block 1:78\n"
      "        continue 1:80\n"
      "    for_in 2:1 bit<8> k in 0 .. 3\n"
      "      break 2:29\n"
      "    switch 3:1 t.apply().action_run\n"
      "      switch_case 3:33 a\n"
      "      switch_case 3:36 b\n"
      "        block 3:39\n"
      "          return 3:41\n"
      "      switch_case 3:51 default\n"
      "        block 3:60\n"
      "          exit 3:62\n");
}

TEST(Declarations, HaveTables) {
  EXPECT_EQ(dumped("control c() { action a(bit<8> x) {} table t {\n"
                   "key = { h.x & 15 : exact @name(\"k\"); key : lpm; }\n"
                   "actions = { a; @defaultonly .NoAction; a(1); }\n"
                   "const default_action = a(1);\n"
                   "@x const entries = { (1, 2 &&& 3) : a(1); const priority = 3: (_, 1 .. 2) : a(2) @y; "
                   "(1) : a(1); priority = (1 + 2): default : a(1); }\n"
                   "size = 10; priority = 1; } apply {} }"),
            "control 1:1 c\n"
            "  action 1:15 a\n"
            "    parameter 1:24 bit<8> x\n"
            "    block 1:34\n"
            "  table 1:37 t\n"
            "    key 2:9 h.x & 15: exact\n"
            "      annotation 2:26 name(\"k\")\n"
            "    key 2:38 key: lpm\n"
            "    action_ref 3:13 a\n"
            "    action_ref 3:29 .NoAction\n"
            "      annotation 3:16 defaultonly\n"
            "    action_ref 3:40 a(1)\n"
            "    entry 5:22 const (1, 2 &&& 3): a(1)\n"
            "    entry 5:43 const priority 3: (default, 1 .. 2): a(2)\n"
            "      annotation 5:82 y\n"
            "    entry 5:86 const 1: a(1)\n"
            "    entry 5:98 const priority 1 + 2: default: a(1)\n"
            "    property 4:1 const default_action = a(1)\n"
            "    property 6:1 size = 10\n"
            "    property 6:12 priority = 1\n"
            "  block 6:34\n");
}

TEST(Declarations, HaveParsers) {
  EXPECT_EQ(dumped("parser p<H>(in H h)(bit<8> n) { value_set<bit<8>>(4) vs; bit<8> x = 1;\n"
                   "state start { x = 2; transition select(x, h) { (1, _): a; (2 &&& 3, default): reject; "
                   "vs: a; default: b; } }\n"
                   "@name(\"q\") state a { transition b; } state b {} }"),
            "parser 1:1 p\n"
            "  type_parameter 1:10 H\n"
            "  parameter 1:13 in H h\n"
            "  constructor\n"
            "    parameter 1:21 bit<8> n\n"
            "  value_set 1:33 bit<8> vs size 4\n"
            "  variable 1:58 bit<8> x = 1\n"
            "  state 2:1 start\n"
            "    assign 2:15 x = 2\n"
            "    select\n"
            "      on 2:40 x\n"
            "      on 2:43 h\n"
            "      select_case 2:48 (1, default): a\n"
            "      select_case 2:59 (2 &&& 3, default): reject\n"
            "      select_case 2:87 vs: a\n"
            "      select_case 2:94 default: b\n"
            "  state 3:12 a\n"
            "    annotation 3:1 name(\"q\")\n"
            "    transition b\n"
            "  state 3:38 b\n");
}

TEST(Declarations, HaveTypes) {
  EXPECT_EQ(
      dumped("typedef struct T {int a;} U;; type bit<8> N; enum bit<4> E { A = 1, B = 2, } enum F { X, }\n"
             "header_union W { U a; } error { One } match_kind { m, n, } typedef list<tuple<bit, varbit<8>>> "
             "L;\n"
             "header G<X> { X x; bit<8>[2] key; }\n"),
      "typedef 1:1 T U\n"
      "  struct 1:9 struct T\n"
      "    field 1:19 int a\n"
      "newtype 1:31 bit<8> N\n"
      "enum 1:46 bit<4> E\n"
      "  enum_member 1:62 A = 1\n"
      "  enum_member 1:69 B = 2\n"
      "enum 1:78 F\n"
      "  enum_member 1:87 X\n"
      "struct 2:1 header_union W\n"
      "  field 2:18 U a\n"
      "error 2:25 error\n"
      "  enum_member 2:33 One\n"
      "match_kind 2:39 match_kind\n"
      "  enum_member 2:52 m\n"
      "  enum_member 2:55 n\n"
      "typedef 2:60 list<tuple<bit, varbit<8>>> L\n"
      "struct 3:1 header G\n"
      "  type_parameter 3:10 X\n"
      "  field 3:15 X x\n"
      "  field 3:20 bit<8>[2] key\n");
}

TEST(Declarations, HaveExternsFunctionsAndInstances) {
  EXPECT_EQ(dumped("extern V<T> { V(int n); abstract T f<U>(in U u, optional_t o); } \n"),
            "1:49 expected-type expected a type, found 'optional_t'\n");
  EXPECT_EQ(dumped("extern V<T> { V(int n); abstract T f<U>(in U u); @pure void g(); }\n"
                   "extern R h<R>(in R r); extern Fwd; T id<T>(in T t = 1) { return t; }\n"
                   "V<bit<8>>(1) v = { bit<8> f<U>(in U u) { return 1; } V<bit>(2) w; };\n"
                   "package P<A>(V<A> v, @optional V<_> w); control C<Q>(in Q q); P(v, n = v) main;"),
            "extern 1:1 V\n"
            "  type_parameter 1:10 T\n"
            "  method 1:15 V\n"
            "    parameter 1:17 int n\n"
            "  method 1:25 abstract T f\n"
            "    type_parameter 1:38 U\n"
            "    parameter 1:41 in U u\n"
            "  method 1:56 void g\n"
            "    annotation 1:50 pure\n"
            "function 2:1 extern R h\n"
            "  type_parameter 2:12 R\n"
            "  parameter 2:15 in R r\n"
            "extern 2:24 Fwd forward\n"
            "function 2:36 T id\n"
            "  type_parameter 2:41 T\n"
            "  parameter 2:44 in T t = 1\n"
            "  block 2:56\n"
            "    return 2:58 t\n"
            "instance 3:1 V<bit<8>> v(1)\n"
            "  function 3:20 bit<8> f\n"
            "    type_parameter 3:29 U\n"
            "    parameter 3:32 in U u\n"
            "    block 3:40\n"
            "      return 3:42 1\n"
            "  instance 3:54 V<bit> w(2)\n"
            "package 4:1 P\n"
            "  type_parameter 4:11 A\n"
            "  parameter 4:14 V<A> v\n"
            "  parameter 4:32 V<_> w\n"
            "    annotation 4:22 optional\n"
            "control_type 4:41 C\n"
            "  type_parameter 4:51 Q\n"
            "  parameter 4:54 in Q q\n"
            "instance 4:63 P main(v, n = v)\n");
}

TEST(Annotations, HaveAllForms) {
  EXPECT_EQ(dumped("@a @b(x (y, ) \"s\" {) @c[1, x,] @d[k = 1, l = \"t\"] @e[] @pragma f g (h) \"i\" \n "
                   "const bit<8> x = 1;"),
            "constant 2:2 bit<8> x = 1\n"
            "  annotation 1:1 a\n"
            "  annotation 1:4 b(x (y, ) \"s\" {)\n"
            "  annotation 1:22 c[1, x]\n"
            "  annotation 1:32 d[k = 1, l = \"t\"]\n"
            "  annotation 1:51 e[]\n"
            "  annotation 1:56 f(g (h) \"i\")\n");
}

TEST(Annotations, AreFoundByName) {
  auto parsed = parse_text("@name(\"a.b\") @hidden @name2[\"c\"] const bit<8> x = 1;");
  ASSERT_TRUE(parsed->tree) << parsed->report();
  const ast::Annotations& all = parsed->tree->declarations[0]->annotations;
  EXPECT_EQ(ast::annotation_string(all, "name"), "a.b");
  EXPECT_EQ(ast::annotation_string(all, "name2"), "c");
  EXPECT_EQ(ast::annotation_string(all, "hidden"), "");
  EXPECT_NE(ast::find_annotation(all, "hidden"), nullptr);
  EXPECT_EQ(ast::find_annotation(all, "other"), nullptr);
}

TEST(Names, MayBeKeywords) {
  EXPECT_EQ(statements(
                "bit<8> key; bit<8> state; bit<8> priority; key = state; bit<8> list; act(type = priority);"),
            "variable key; variable state; variable priority; assign key = state; variable list; "
            "call act(type = priority); ");
}

TEST(Spans, CoverWholeConstructs) {
  auto parsed = parse_text("const bit<8> x =\n  a + b;\n");
  ASSERT_TRUE(parsed->tree);
  const auto* constant = ast::cast<ast::Constant>(parsed->tree->declarations[0]);
  EXPECT_EQ(constant->span.begin, (Position{1, 1}));
  EXPECT_EQ(constant->span.end, (Position{2, 9}));
  EXPECT_EQ(constant->value->span.begin, (Position{2, 3}));
  EXPECT_EQ(constant->value->span.end, (Position{2, 8}));
  EXPECT_EQ(constant->name.span.begin, (Position{1, 14}));
}

}  // namespace
}  // namespace perfpact::p4
