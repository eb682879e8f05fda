// The message of each syntax error, and that one mistake gives one message.
#include <gtest/gtest.h>

#include "p4/syntax/diagnostics.h"
#include "p4/syntax/parser_impl.h"
#include "parse_text.h"

namespace perfpact::p4 {
namespace {

std::string report(std::string_view text) {
  auto parsed = parse_text(text);
  EXPECT_FALSE(parsed->tree) << text;
  return parsed->report();
}

std::string in_block(std::string_view text) {
  return report(fmt::format("action a() {{\n{}\n}}\nconst bit<8> ok = 1;\n", text));
}

TEST(SyntaxErrors, PointBehindWhatIsIncomplete) {
  EXPECT_EQ(in_block("x = 1\ny = 2;"), "2:6 expected-after expected ';' after the assignment\n");
  EXPECT_EQ(in_block("f()"), "2:4 expected-after expected ';' after the call\n");
  EXPECT_EQ(in_block("return"), "3:1 expected-expression expected an expression, found '}'\n");
  EXPECT_EQ(report("struct s { bit<8> a bit<8> b; }"), "1:20 expected-after expected ';' after the field\n");
}

TEST(SyntaxErrors, SuggestKeywords) {
  EXPECT_EQ(report("heder h { bit<8> a; }\nstruct s { h x; }"),
            "1:1 expected-declaration expected a declaration, found 'heder'; did you mean 'header'?\n");
  EXPECT_EQ(
      report("control c() { actoin a() {} tabel t { key = {} } aply { t.apply(); } }"),
      "1:15 expected-declaration expected a declaration or 'apply', found 'actoin'; did you mean 'action'?\n"
      "1:29 expected-declaration expected a declaration or 'apply', found 'tabel'; did you mean 'table'?\n"
      "1:50 expected-declaration expected a declaration or 'apply', found 'aply'; did you mean 'apply'?\n");
  EXPECT_EQ(report("struct s { bitt<8> a; }"),
            "1:12 expected-type expected a type, found 'bitt'; did you mean 'bit'?\n");
}

TEST(SyntaxErrors, SuggestTypesOnce) {
  EXPECT_EQ(report("struct headers_t {} control c(inout header_t h, inout header_t g) { apply {} }"),
            "1:37 expected-type expected a type, found 'header_t'; did you mean 'headers_t'?\n");
  EXPECT_EQ(in_block("x = (nope) y;"), "2:6 expected-type expected a type, found 'nope'\n");
}

TEST(SyntaxErrors, AreSeveralPerRun) {
  EXPECT_EQ(report("header h { bit<8> a }\ncontrol c() { action a() { x = ; y = 1 } table t { size = ; } "
                   "apply { f(; } }\n"
                   "const bit<8> = 3;\nstruct t { bit<8> v; }\n"),
            "1:20 expected-after expected ';' after the field\n"
            "2:32 expected-expression expected an expression, found ';'\n"
            "2:39 expected-after expected ';' after the assignment\n"
            "2:59 expected-expression expected an expression, found ';'\n"
            "2:73 expected-expression expected an expression, found ';'\n"
            "3:14 expected-token expected a name, found '='\n");
}

TEST(SyntaxErrors, ShowTheOpeningBracket) {
  EXPECT_EQ(in_block("if (x { y = 1; }"),
            "2:7 expected-token expected ')', found '{'\n+ 2:4 to match this one\n");
  EXPECT_EQ(report("control c() { apply { if (x) { y = 1; }\ncontrol d() { apply {} }\n"),
            "2:1 unclosed expected '}' before 'control'\n+ 1:21 to match this '{'\n");
  EXPECT_EQ(report("action a() { x = 1;\n"),
            "1:20 unclosed expected '}' before the end of the program\n+ 1:12 to match this '{'\n");
  EXPECT_EQ(report("struct s {} }\nstruct t {}"), "1:13 extra-brace this '}' closes nothing\n");
}

TEST(SyntaxErrors, NameWhatIsInTheWrongPlace) {
  EXPECT_EQ(in_block("x + 1;"),
            "2:1 not-a-statement an expression is not a statement; expected a call or an assignment\n");
  EXPECT_EQ(in_block("if (x) bit<8> y = 1;"),
            "2:8 declaration-not-here a declaration needs a block here: put it into '{' and '}'\n");
  EXPECT_EQ(in_block("@x y = 1;"), "2:1 annotation-not-here an annotation is not allowed here\n");
  EXPECT_EQ(in_block("else { }"), "2:1 expected-statement expected a statement, found 'else'\n");
  EXPECT_EQ(report("struct s {} const bit<8> x = s;"), "1:30 not-a-value 's' is a type; expected a value\n");
  EXPECT_EQ(report("bit<8> x;"),
            "1:8 variable-not-here a variable is not allowed here; expected a function or an instance\n");
  EXPECT_EQ(report("extern E { F(); }"),
            "1:12 constructor-name 'F' has no return type, and the constructor is called 'E'\n");
  EXPECT_EQ(report("parser p() { state start { return; } }"),
            "1:28 statement-not-in-state 'return' is not allowed in a parser state\n");
  EXPECT_EQ(report("parser p() { }"), "1:8 no-states the parser 'p' has no states\n");
  EXPECT_EQ(report("control c() { }"), "1:9 missing-apply the control 'c' has no apply block\n");
  EXPECT_EQ(report("const bit<8> in = 1;"), "1:14 expected-token expected a name, found the keyword 'in'\n");
}

TEST(SyntaxErrors, NameUnexpectedCharacters) {
  EXPECT_EQ(in_block("x = 1 $ 2;"), "2:7 unexpected-character unexpected character '$'\n");
  EXPECT_EQ(in_block("x = \x01;"), "2:5 unexpected-character unexpected character 0x01\n");
}

TEST(SyntaxErrors, IncludeBadLiterals) {
  EXPECT_EQ(report("const bit<8> x = 8q1 + 70000w1;"),
            "1:18 malformed-number '8q1' is not a number: 'q' is not a digit of base 10\n"
            "1:24 literal-width a number of 70000 bits is too wide; at most 65536 are supported\n");
}

TEST(SyntaxErrors, HaveKindsOfTheirOwn) {
  const std::vector<std::pair<const DiagnosticKind*, std::string>> cases = {
      {&diag::kExpectedToken, "const bit<8> = 1;"},
      {&diag::kExpectedAfter, "const bit<8> x = 1"},
      {&diag::kExpectedType, "const nope x = 1;"},
      {&diag::kExpectedExpression, "const bit<8> x = ;"},
      {&diag::kExpectedStatement, "action a() { else {} }"},
      {&diag::kExpectedDeclaration, "1"},
      {&diag::kUnclosed, "action a() {"},
      {&diag::kExtraBrace, "}"},
      {&diag::kNotAValue, "struct s {} const bit<8> x = s;"},
      {&diag::kNotAStatement, "action a() { x + 1; }"},
      {&diag::kDeclarationNotHere, "action a() { if (x) bit<8> y; }"},
      {&diag::kVariableNotHere, "bit<8> x;"},
      {&diag::kConstructorName, "extern E { F(); }"},
      {&diag::kStatementNotInState, "parser p() { state start { exit; } }"},
      {&diag::kAnnotationNotHere, "action a() { @x exit; }"},
      {&diag::kNoStates, "parser p() {}"},
      {&diag::kMissingApply, "control c() {}"},
      {&diag::kUnexpectedCharacter, "const bit<8> x = $;"}};
  for (const auto& [kind, text] : cases) {
    auto parsed = parse_text(text);
    ASSERT_EQ(parsed->diagnostics.all().size(), 1U) << text << "\n" << parsed->report();
    EXPECT_EQ(parsed->diagnostics.all()[0].kind, kind) << parsed->report();
  }
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(SyntaxErrors, LimitNesting) {
  constexpr std::size_t kMany = 20000;
  std::string names;
  const std::vector<std::string> deep = {
      "const bit<8> x = " + repeated("(", kMany),
      "const bit<8> x = " + repeated("!", kMany) + "1;",
      "const bit<8> x = 1" + repeated("+ 1", kMany) + ";",
      "const bit<8> x = a" + repeated(".a", kMany) + ";",
      "const bit<8> x = " + repeated("{", kMany),
      "const bit<8> x = " + repeated("a ? ", kMany),
      "const bit<8> x = " + repeated("f(", kMany),
      "const bit<8> x = " + repeated("(bit<8>)", kMany) + "1;",
      "struct T<A> {} const " + repeated("T<", kMany),
      "const bit" + repeated("[1]", kMany) + " x = 1;",
      "const bit<8> x" + repeated("[1]", kMany) + " = 1;",
      "action a() " + repeated("{", kMany),
      "action a() { " + repeated("if (x) {} else ", kMany) + "{} }",
  };
  for (const std::string& text : deep) {
    auto parsed = parse_text(text);
    ASSERT_FALSE(parsed->diagnostics.all().empty());
    EXPECT_EQ(parsed->diagnostics.all()[0].kind, &diag::kTooDeep) << text.substr(0, 30);
  }
  std::string wide = "const tuple<bit<8>> x = {" + repeated("-a.b[1] + 1, ", 5000) + "1};";
  EXPECT_TRUE(parse_text(wide)->tree);
}

TEST(SyntaxErrors, AreLimitedInNumber) {
  auto parsed = parse_text(repeated("const = 1;\n", 1000));
  EXPECT_EQ(parsed->diagnostics.error_count(), Parser::kMaxErrors + 1);
  EXPECT_EQ(parsed->diagnostics.all().back().kind, &diag::kTooManyErrors);
}

}  // namespace
}  // namespace perfpact::p4
