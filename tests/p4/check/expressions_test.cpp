#include "check_program.h"

namespace perfpact::p4 {
namespace {

void expect_statement(const std::string& statement) {
  expect_right(in_control(statement));
}
void expect_statement_fault(const std::string& statement, std::string_view id, std::string_view message) {
  expect_fault(in_control(statement), id, message);
}

TEST(Expressions, AcceptsWhatP4Has) {
  for (const char* statement :
       {"x = x + 1;",
        "x = 255 - x;",
        "y = x ++ x;",
        "x = y[15:8];",
        "y[7:0] = x;",
        "x = y[3 +: 8];",
        "flag = x < 3 && !flag || y == 0x10;",
        "x = flag ? 1 : 2;",
        "x = flag ? x : 2;",
        "x = x << 3;",
        "y = y >> x;",
        "x = (bit<8>)i;",
        "i = (int<8>)x;",
        "flag = (bool)x[0:0];",
        "x[0:0] = (bit<1>)flag;",
        "x = n;",
        "n = (Number)x;",
        "x = n + 1;",
        "flag = n == Number.High;",
        "flag = e != E.Two;",
        "p = 5;",
        "p = (Port)9w3;",
        "flag = p == 7;",
        "h.h = {1, 2, 3, true, h.h.v};",
        "h.h = {#};",
        "pair = {x, false};",
        "x = pair[0];",
        "flag = h.h == h.hs[x];",
        "flag = h.h.isValid();",
        "h.h.setValid(); h.h.setInvalid();",
        "h.hs.push_front(1); h.hs.pop_front(2);",
        "x = x |+| 1;",
        "x = 8w12 & ~x | (x ^ 1);",
        "i = -i;",
        "y = (bit<16>)x.minSizeInBits();",
        "x = x / 2; y = y % 3;",
        "x += 1; x <<= 2; y |= 3;",
        "flag = {1, true} == pair;",
        "x = (bit<8>)(16w5 + 1);",
        "bit<32> size = h.hs.size;",
        "x = ((1 + 2) * 3)[3:0] ++ 4w0;",
        "for (bit<8> k in 0 .. 3) { x = x + k; if (k == 2) { break; } else { continue; } }",
        "for (bit<8> k = 0; k < 3; k = k + 1) { x = k; }",
        "switch (x) { 1: { y = 1; } 2: 3: { y = 2; } default: {} }",
        "switch (t.apply().action_run) { set: { x = 1; } nothing: {} }",
        "if (t.apply().hit) { exit; } return;",
        "set(3); copy(x, 4); nothing();",
        "copy(value = 4, from = x);"}) {
    expect_statement(statement);
  }
}

TEST(Expressions, RecordsImplicitCasts) {
  Checked checked = expect_right(in_control("x = x + 1;"));
  const auto* control = ast::cast<ast::Control>(checked.program->ast().declarations.back());
  const auto* assign = ast::cast<ast::Assign>(control->body->statements.front());
  const auto* sum = ast::cast<ast::Binary>(assign->right);
  EXPECT_EQ(to_string(checked.program->type_of(*sum)), "bit<8>");
  EXPECT_EQ(to_string(checked.program->type_of(*sum->right)), "int");
  EXPECT_EQ(to_string(checked.program->cast_of(*sum->right)), "bit<8>");
  EXPECT_EQ(checked.program->cast_of(*sum->left), nullptr);
}

TEST(Expressions, CastsListsAndTheirElements) {
  Checked checked = expect_right(in_control("h.h = {1, 2, 3, true, h.h.v};"));
  const auto* control = ast::cast<ast::Control>(checked.program->ast().declarations.back());
  const auto* assign = ast::cast<ast::Assign>(control->body->statements.front());
  const auto* list = ast::cast<ast::List>(assign->right);
  EXPECT_EQ(to_string(checked.program->cast_of(*list)), "header H");
  EXPECT_EQ(to_string(checked.program->cast_of(*list->elements[1])), "bit<16>");
  EXPECT_EQ(to_string(checked.program->cast_of(*list->elements[2])), "int<8>");
  EXPECT_EQ(checked.program->cast_of(*list->elements[3]), nullptr);
}

TEST(Expressions, RefusesWrongOperands) {
  expect_statement_fault("x = x + y;", "bad-operands", "'+' cannot be applied to 'bit<8>' and 'bit<16>'");
  expect_statement_fault("flag = x && flag;", "bad-operands",
                         "'&&' cannot be applied to 'bit<8>' and 'bool'");
  expect_statement_fault("flag = !x;", "bad-operand", "'!' cannot be applied to 'bit<8>'");
  expect_statement_fault("y = x ++ 1;", "no-width", "an operand of '++' needs a width here");
  expect_statement_fault("i = i / 2;", "bad-operands", "'/' cannot be applied to 'int<8>' and 'int'");
  expect_statement_fault("x = x / 0;", "division", "division by zero");
  expect_statement_fault("x = x << i;", "bad-operands", "'<<' cannot be applied");
  expect_statement_fault("flag = p + 1 == p;", "bad-operands", "'+' cannot be applied");
}

TEST(Expressions, RefusesWrongTypes) {
  expect_statement_fault("x = y;", "type-mismatch", "expected 'bit<8>', but this is 'bit<16>'");
  expect_statement_fault("x = flag;", "type-mismatch", "expected 'bit<8>', but this is 'bool'");
  expect_statement_fault("if (x) {}", "type-mismatch", "expected 'bool', but this is 'bit<8>'");
  expect_statement_fault("n = 1;", "type-mismatch", "expected 'enum Number', but this is 'int'");
  expect_statement_fault("x = (bit<8>)flag;", "bad-cast", "cannot cast 'bool' to 'bit<8>'");
  expect_statement_fault("x = (bit<8>)(int<16>)1;", "bad-cast", "cannot cast 'int<16>' to 'bit<8>'");
  expect_statement_fault("h.h = {1, 2};", "field-count", "'header H' has 5 elements, but 2 given");
  expect_statement_fault("h.h = {a = 1, b = 2, s = 3, flag = true, w = 0};", "unknown-field", "no field 'w'");
  expect_statement_fault("h.h = {a = 1, a = 2, b = 2, s = 3, flag = true};", "duplicate-field",
                         "'a' is given twice");
}

TEST(Expressions, RefusesMissingFields) {
  expect_statement_fault("h.h = {a = 1, b = 2, s = 3, v = h.h.v};", "missing-field",
                         "no value for field 'flag'");
}

TEST(Expressions, WarnsOfConstantsThatDoNotFit) {
  Checked checked = expect_right(in_control("x = 256; x = -1; x = x << 9;"));
  EXPECT_EQ(checked.count("constant-overflow"), 2U) << checked.text();
  EXPECT_EQ(checked.count("shift-too-far"), 1U) << checked.text();
  EXPECT_NE(checked.text().find("256 does not fit in 'bit<8>'; it becomes 0"), std::string::npos);
}

TEST(Expressions, RefusesWrongIndices) {
  expect_statement_fault("h.hs[4].a = 1;", "bad-index", "index 4 is out of range: there are 4 elements");
  expect_statement_fault("x = y[16:9];", "bad-index", "[16:9] is no slice of 'bit<16>'");
  expect_statement_fault("x = x[0];", "bad-index", "'bit<8>' has no elements to index");
  expect_statement_fault("x = pair[x];", "not-known", "the index of a tuple must be known at compile time");
  expect_statement_fault("x = y[x:0];", "not-known", "the end of a slice must be known");
}

TEST(Expressions, RefusesUnknownNames) {
  expect_statement_fault("x = flagg ? 1 : 2;", "unknown-name",
                         "there is no 'flagg' here; did you mean 'flag'?");
  expect_statement_fault("h.h.c = 1;", "unknown-field", "'header H' has no field 'c'");
  expect_statement_fault("e = E.Three;", "unknown-member", "'enum E' has no member 'Three'");
  expect_statement_fault("x = h.hs.length;", "unknown-member", "has no member 'length'");
  expect_statement_fault("nothin();", "unknown-name", "did you mean 'nothing'?");
  expect_statement_fault("t.aply();", "unknown-member", "'table t' has no member 'aply'");
}

TEST(Expressions, RefusesWritesToWhatIsRead) {
  expect_statement_fault("read_only = 1;", "not-assignable",
                         "parameter 'read_only' is 'in' and cannot be written");
  expect_fault(in_control("limit = 2;", "const bit<8> limit = 3;"), "not-assignable", "constant 'limit'");
  expect_fault(in_control("", "action a(bit<8> d) { d = 1; }"), "not-assignable", "has no direction");
}

TEST(Expressions, ElementsOfStacksBelongToParsers) {
  expect_statement_fault("h.hs.next.a = 1;", "misplaced", "'next' of a stack is not allowed in a control");
}

TEST(Expressions, LongChainsAreNoProblem) {
  std::string sum = "x";
  for (int i = 0; i < 900; ++i) sum += " + 1";
  expect_statement("x = " + sum + ";");
  std::string constant = "1";
  for (int i = 0; i < 900; ++i) constant += " + 1";
  Checked checked = expect_right("const bit<16> big = " + constant + ";");
  const auto* declaration = checked.program->ast().declarations.back();
  EXPECT_EQ(*checked.program->value_of(*declaration)->integer(), 901);
}

}  // namespace
}  // namespace perfpact::p4
