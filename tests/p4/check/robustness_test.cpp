// Whatever the checker is given, it ends with a program or with an error told.
#include <random>

#include "check_program.h"

namespace perfpact::p4 {
namespace {

const char* const kProgram = R"(
#include <core.p4>
header H { bit<8> a; bit<16> b; varbit<32> v; }
struct S { H h; H[4] hs; bit<8> x; }
enum bit<8> N { Low = 1, High = 2 }
extern Reg<T> { Reg(bit<32> n); T read(in bit<32> i); }
bit<8> twice(in bit<8> x) { return x + x; }
parser P(packet_in p, out S s)(bit<8> n) {
  value_set<bit<8>>(4) set;
  state start { p.extract(s.h, 8); transition select(s.h.a, s.h.b) { (1, 2 &&& 3): next; (set, _): accept; } }
  state next { p.extract(s.hs.next, 8); transition accept; }
}
control C(inout S s) {
  Reg<bit<8>>(16) r;
  N kind = N.Low;
  action set(in bit<8> from, bit<8> value) { s.x = from ++ value[0:0] == 9w1 ? 1 : value; }
  table t {
    key = { s.x : exact; s.h.b : ternary; }
    actions = { set(s.x); NoAction; }
    default_action = NoAction();
    const entries = { (1, 2 &&& 3) : set(s.x, 4); (_, _) : NoAction(); }
  }
  apply {
    switch (t.apply().action_run) { set: { s.h = {1, 2, s.h.v}; } default: { s.h = {#}; } }
    for (bit<8> i in 1 .. twice(3)) { s.x = s.x + r.read(0) + kind; if (i == 2) break; }
    s.hs.push_front(1);
  }
}
parser PT<T>(packet_in p, out T s); control CT<T>(inout T s); package Top<T>(PT<T> p, CT<T> c);
Top(P(3), C()) main;
)";

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  std::string current;
  for (char c : text) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (!is_word && !current.empty()) {
      tokens.push_back(current);
      current.clear();
    }
    if (is_word) {
      current += c;
    } else {
      tokens.emplace_back(1, c);
    }
  }
  return tokens;
}

TEST(Robustness, TheProgramItselfIsRight) {
  expect_right(kProgram);
}

TEST(Robustness, MutatedProgramsAreAnswered) {
  std::mt19937 random(7);
  const std::vector<std::string> tokens = tokens_of(kProgram);
  std::vector<std::string> words;
  for (const std::string& token : tokens) {
    if (std::isspace(static_cast<unsigned char>(token[0])) == 0) words.push_back(token);
  }
  std::size_t parsed = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> mutated = tokens;
    const auto changes = 1 + random() % 3;
    for (std::size_t change = 0; change < changes; ++change) {
      std::size_t at = 30 + random() % (mutated.size() - 30);  // the include stays
      switch (random() % 3) {
        case 0:
          mutated[at] = words[random() % words.size()];
          break;
        case 1:
          mutated.erase(mutated.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        default:
          mutated.insert(mutated.begin() + static_cast<std::ptrdiff_t>(at), words[random() % words.size()]);
          break;
      }
    }
    std::string text;
    for (const std::string& token : mutated) text += token;
    Checked checked = check_text(text);
    parsed += checked.was_parsed ? 1 : 0;
    EXPECT_EQ(checked.program == nullptr, checked.diagnostics->has_errors()) << text;
  }
  EXPECT_GT(parsed, 20U);
}

TEST(Robustness, DeepNestingIsAnswered) {
  for (const char* open : {"(", "{", "-", "!"}) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += open;
    Checked checked = check_text("const bit<8> x = " + text + "1;");
    EXPECT_TRUE(checked.diagnostics->has_errors());
  }
  std::string members = "s";
  for (int i = 0; i < 2000; ++i) members += ".a";
  Checked checked = check_text("struct S { bit<8> a; } const S s = {1}; const bit<8> x = " + members + ";");
  EXPECT_TRUE(checked.diagnostics->has_errors());
  std::string chain = "x = 0;";
  for (int i = 0; i < 2000; ++i) chain = "if (x == 1) { x = 2; } else " + chain;
  Checked nested = check_text(in_control(chain));
  EXPECT_EQ(nested.program == nullptr, nested.diagnostics->has_errors());
}

/// `first`, then the line for 1, 2, ... with {1} for the number and {0} for the one before.
std::string repeated(const std::string& first, fmt::format_string<int, int> line, int times) {
  std::string text = first;
  for (int i = 1; i <= times; ++i) text += fmt::format(line, i - 1, +i);
  return text;
}

TEST(Robustness, TypesThatDoubleAreRefused) {
  const std::string structs = repeated("struct s0 { bit<8> a; }", "struct s{1} {{ s{0} a; s{0} b; }}\n", 40);
  const std::string tuples = repeated("typedef bit<8> t0;", "typedef tuple<t{0}, t{0}> t{1};\n", 40);
  for (const std::string& text : {structs, tuples}) {
    Checked checked = check_text(text);
    EXPECT_EQ(checked.count("not-checked-yet"), checked.diagnostics->error_count()) << checked.text();
    EXPECT_GE(checked.diagnostics->error_count(), 1U);
  }
  std::string nested = "x";
  for (int i = 0; i < 40; ++i) nested = "twice(" + nested + ")";
  EXPECT_GE(
      check_text("tuple<T, T> twice<T>(in T x) { return {x, x}; } void f(in bit<8> x) { " + nested + "; }")
          .count("not-checked-yet"),
      1U);
  expect_fault("header h { bit<8> a; } struct s { h[16385] a; h[16384] b; } void f(in s x) {}",
               "not-checked-yet", "fields");
  expect_right("header h { bit<8> a; } struct s { h[10000] a; h[10000] b; } void f(in s x) {}");
}

TEST(Robustness, TypesNestedTooDeeplyAreRefused) {
  const std::string structs = repeated("struct s0 { bit<8> a; }", "struct s{1} {{ s{0} a; }}\n", 900);
  const std::string types = repeated("type bit<8> t0;", "type t{0} t{1};\n", 900);
  for (const std::string& text : {structs, types}) {
    Checked checked = check_text(text);
    EXPECT_EQ(checked.count("nested-too-deeply"), 1U) << checked.text();
  }
  expect_right(repeated("struct s0 { bit<8> a; }", "struct s{1} {{ s{0} a; }}\n", 400));
}

TEST(Robustness, DeepTreesAreRefusedAndLongChainsWalked) {
  for (const bool is_chain : {false, true}) {
    SourceManager sources;
    Diagnostics diagnostics(sources);
    auto ast = std::make_shared<ast::Ast>();
    auto* one = ast->make<ast::IntegerLiteral>({});
    one->value = 1;
    ast::Expression* value = one;
    for (int i = 0; i < 20000; ++i) {
      if (is_chain) {
        auto* sum = ast->make<ast::Binary>({});
        sum->op = ast::BinaryOperator::Add;
        sum->left = value;
        sum->right = one;
        value = sum;
      } else {
        auto* negation = ast->make<ast::Unary>({});
        negation->op = ast::UnaryOperator::Negate;
        negation->operand = value;
        value = negation;
      }
    }
    auto* constant = ast->make<ast::Constant>({});
    constant->name.text = "deep";
    constant->type = ast->make<ast::InfIntType>({});
    constant->value = value;
    ast->declarations.push_back(constant);
    auto program = check(ast, diagnostics);
    EXPECT_EQ(program.has_value(), is_chain) << diagnostics.render();
    if (program) {
      EXPECT_EQ(*(*program)->value_of(*constant)->integer(), 20001);
    }
    EXPECT_EQ(diagnostics.all().empty(), is_chain);
    if (!is_chain) {
      EXPECT_EQ(diagnostics.all().front().kind->id, "nested-too-deeply");
    }
  }
}

}  // namespace
}  // namespace perfpact::p4
