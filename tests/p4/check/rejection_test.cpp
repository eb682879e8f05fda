// Programs that are wrong by rules that single expressions do not show.
#include "check_program.h"

namespace perfpact::p4 {
namespace {

TEST(Rejection, OfTypesThatDoNotFitTogether) {
  expect_right("header_union U<T> { T t; } header H { bit<8> x; } struct S { U<H> u; }");
  expect_fault("header_union U<T> { T t; } struct S { U<bit<8>> u; }", "bad-type",
               "a field of a header_union cannot be of type 'bit<8>'");
  expect_fault("header G { bit<8> x; } struct S { G[2] gs; } header H<T> { T t; } typedef H<S> HS;",
               "bad-type", "where 'header H<struct S>' is used");
  expect_fault("struct S<T> { T t; } typedef S<bit<8>> A; typedef S<A> B;", "contains-itself",
               "'S' contains itself");
  expect_fault("extern E { void f(E e); }", "contains-itself", "'E' contains itself");
  expect_fault("control C(); struct S<T> { T t; } extern S<C> f();", "bad-type", "a type argument cannot be");
  expect_fault("extern E<T> { E(); } typedef E<bit<8>> F; control C() { F<bit<8>>() f; apply {} }",
               "type-arguments", "'F' takes 0 type arguments, but 1 given");
  expect_fault("struct S { error e; }", "no-errors", "core.p4 has one");
  expect_right("error { Wrong } struct S { error e; }");
}

TEST(Rejection, OfASecondVarbitOnlyWhereItIsExtracted) {
  const std::string header = "#include <core.p4>\nheader H { varbit<8> a; varbit<8> b; }\n";
  expect_right(header);
  expect_fault(header + "parser P(packet_in p) { H h; state start { p.extract(h, 8); transition accept; } }",
               "bad-declaration", "has a second varbit field, so it cannot be extracted");
}

TEST(Rejection, OfParameters) {
  expect_right("parser P(); control C(); package Q(P p, C c); control D()(C c) { apply {} }");
  expect_fault("parser P(); parser R(P p);", "bad-type", "this parameter cannot be of type 'parser P'");
  expect_fault("control C(); extern E { E(C c); }", "bad-type",
               "this parameter cannot be of type 'control C'");
  expect_fault("control A() { apply {} } control C()(A a) { apply {} }", "bad-type",
               "this parameter cannot be of type 'control A'");
  expect_fault("parser P(); control C()(P p) { apply {} }", "bad-type",
               "a parameter of this constructor cannot be of type 'parser P'");
  expect_fault("control C(); parser P()(C c) { state start { transition accept; } }", "bad-type",
               "a parameter of this constructor cannot be of type 'control C'");
  expect_fault("bit<8> f(@optional in bit<8> a) { return a; }", "bad-declaration", "cannot be optional");
  expect_fault("control C()(@optional bit<8> a) { apply {} }", "bad-declaration", "cannot be optional");
  expect_right("extern void f(@optional in bit<8> a); extern E { E(@optional bit<8> a); }");
  expect_fault("extern E { E(); abstract int f(); }", "bad-type",
               "the result of a method cannot be of type 'int'");
  expect_fault("extern E { E(list<bit<8>> l = ...); }", "type-mismatch", "expected 'list<bit<8>>'");
}

TEST(Rejection, OfArguments) {
  expect_fault("extern void f<T>(in T x); control C() { apply { f(\"text\"); } }", "bad-argument",
               "'f' takes no string");
  expect_fault("extern E<T> { E(); void f(in T x); } control C(E<_> e) { apply { e.f(8w1); } }",
               "bad-argument", "is of type '_'");
  expect_fault(
      "#include <core.p4>\nparser P(packet_in p) { state start { p.extract(_); transition accept; } }",
      "cannot-infer", "cannot infer type argument 'T' of 'extract'");
  expect_fault("extern E { E(); abstract void f(); } package Q(E e); Q(E()) main;", "abstract-method",
               "'f' is abstract");
  expect_fault(
      "struct H {} parser P<T>(out T h); package I<T>(P<T> p); package Q<T>(I<T> i);"
      "parser R(out H h) { state start { transition accept; } } I(R()) i; Q<tuple<>>(i) main;",
      "type-mismatch", "expected 'package I<tuple<>>'");
  expect_fault(
      "control C<H>(inout H h); control N<H>(inout H h) { apply {} }"
      "package Q<H>(C<H> c = N<H>()); Q() main;",
      "cannot-infer", "cannot infer type argument 'H' of 'Q'");
}

TEST(Rejection, OfDeclarations) {
  expect_fault(in_control("bit<8> h = 1;"), "hides-parameter", "'h' hides the parameter of this name");
  expect_right(in_control("x = h;", "bit<8> h = 1;"));
  expect_fault("control D() { apply {} } control C() { apply { D() d; } }", "misplaced",
               "an instance is not allowed in a control");
  expect_fault("extern main { }", "bad-main", "must be an instance of a package");
  expect_fault("parser P() { value_set<int>(4) v; state start { transition accept; } }", "bad-type",
               "an element of a value_set cannot be of type 'int'");
}

TEST(Rejection, OfParsers) {
  expect_fault("parser P() { state start { transition a; } state a { transition start; } }", "never-ends",
               "parser 'P' never reaches 'accept' or 'reject'");
  expect_right("parser P() { state start { transition a; } state a { } }");
  expect_fault("parser P() { bit<8> x; state start { transition select(8w0) { x &&& 1 : accept; } } }",
               "not-known", "a keyset of 'select' must be known");
}

TEST(Rejection, OfOperators) {
  expect_fault("bool f<T>(in T a, in T b) { return a == b; }", "bad-operands",
               "cannot be applied to 'T' and 'T'");
  expect_fault("const int a = 1 << 3000000000;", "bad-operand", "an amount this large");
}

std::string with_table(const std::string& properties) {
  return in_control("u.apply();", "table u { " + properties + " }");
}

TEST(Rejection, OfTables) {
  const std::string keys = "key = { x : exact; y : ternary; } actions = { set; copy(x); nothing; } ";
  expect_right(with_table(keys + "default_action = copy(x, 1);"));
  expect_fault(with_table(keys + "default_action = copy(read_only, 1);"), "bad-argument",
               "parameter 'from' is bound to 'x' in 'actions'");
  expect_fault(with_table("default_action = nothing; actions = { nothing; }"), "property-order",
               "property 'default_action' must stand after 'actions'");
  expect_fault(with_table("const entries = { 1 : nothing(); } key = { x : exact; } actions = { nothing; }"),
               "property-order", "property 'entries' must stand after 'key'");
  expect_fault(with_table("key = { x + 1 : exact; } actions = { nothing; }"), "unnamed-key",
               "needs an annotation");
  expect_right(
      with_table("key = { x + 1 : exact @name(\"k\"); h.hs[1].a[3:0] & 3 : exact; h.h.isValid() : exact; }"
                 "actions = { nothing; }"));
  expect_fault(
      "#include <core.p4>\ncontrol C(bit<8> t) { table t { key = { t : exact; } actions = {} } apply {} }",
      "bad-type", "a key cannot be of type 'table t'");
  expect_fault("control C() { table t { actions = {} } apply {} }", "no-no-action",
               "there is no action 'NoAction'; core.p4 declares it");
  expect_fault("action NoAction(bit<8> x) {} control C() { table t { actions = {} } apply {} }",
               "bad-declaration", "'NoAction' must be an action without parameters");
}

TEST(Rejection, OfPriorities) {
  const std::string keys = "key = { x : exact; y : ternary; } actions = { nothing; } ";
  const std::string entries = "entries = { priority = 12 : (1, 2) : nothing(); (1, 3) : nothing(); }";
  expect_right(with_table(keys + "priority_delta = 12; " + entries));
  expect_fault(with_table(keys + "priority_delta = 13; " + entries), "bad-entry", "gets the priority -1");
  expect_right(with_table(keys + "priority_delta = 13; largest_priority_wins = false; " + entries));
  expect_fault(with_table(keys + "priority_delta = 0; " + entries), "bad-width",
               "the difference of priorities must be at least 1");
  expect_fault(with_table(keys + "const " + entries), "bad-entry", "constant entries have no priorities");
  expect_fault(with_table(keys + "entries = { (1, 2) : nothing(); priority = 1 : (1, 3) : nothing(); }"),
               "bad-entry", "the first entry needs a priority");
  expect_fault(
      with_table("key = { x : lpm; } actions = { nothing; } entries = { priority = 1 : 3 : nothing(); }"),
      "bad-entry", "it has exact and lpm keys only");
}

TEST(Rejection, OfAnnotations) {
  expect_right("@name(\"a\" ++ \"b\") @deprecated(\"a(\\\"+\") @noWarn(\"x\") const bit<8> c = 1;");
  expect_right("@my[1, \"a\", true] @other[k = 1 + 2, l = \"b\"] @third() const bit<8> c = 1;");
  expect_right(
      "@p4runtime_translation(\"u\", bit<32>) type bit<8> A; @p4runtime_translation(\"\", string) type "
      "bit<8> B;"
      "@p4runtime_translation(\"u\", 32) type bit<8> C;");
  expect_fault("@name(4) const bit<8> c = 1;", "bad-annotation", "'@name' takes a string");
  expect_fault("@deprecated(\"a\" | \"b\") const bit<8> c = 1;", "bad-annotation",
               "'@deprecated' takes a string");
  expect_fault("@pkginfo const bit<8> c = 1;", "bad-annotation", "'@pkginfo' takes a list");
  expect_fault("@p4runtime_translation(\"u\", bool) type bit<8> A;", "bad-annotation",
               "takes a URI and one of");
  expect_fault("@p4runtime_translation(\"u\", bit<5+3>) type bit<8> A;", "bad-annotation",
               "takes a URI and one of");
  expect_fault("match_kind { exact } struct S { @match(1+1) bit<8> x; }", "unknown-match-kind",
               "no match kind '1+1'");
  expect_fault("@a[] @a[] const bit<8> c = 1;", "bad-annotation", "annotation '@a' stands twice");
  expect_right("@a(1) @a(2) const bit<8> c = 1;");
  expect_fault("@a[k = {2, 3}] const bit<8> c = 1;", "bad-annotation", "an int, a bool or a string");
}

}  // namespace
}  // namespace perfpact::p4
