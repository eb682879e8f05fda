// Programs that were changed at random are parsed or refused; nothing else happens.
#include <gtest/gtest.h>

#include <random>

#include "parse_text.h"

namespace perfpact::p4 {
namespace {

constexpr std::string_view kProgram = R"(#include <core.p4>
#define WIDTH 8
typedef bit<WIDTH> byte;
header h_t { byte a; varbit<32> b; @x("y") bit<(1 << 3)> c; }
struct headers { h_t h; h_t[4] stack; }
enum bit<4> E { A = 1, B = 2, }
extern V<T> { V(int n); abstract T f<U>(in U u, out bit<8> o); }
T id<T>(in T t) { return t; }
parser p(packet_in b, out headers h) {
  value_set<bit<8>>(4) vs;
  state start {
    b.extract(h.h); byte x = b.lookahead<byte>();
    transition select(h.h.a, x) { (1, _): next; (2 &&& 3, 1 .. 4): reject; default: accept; }
  }
  state next { h.stack.next.a = 1; transition start; }
}
control c(inout headers h)(bit<8> n) {
  action set(in byte v) { h.h.a = v ++ 4w3; h.h.a[3:0] |+|= 1; }
  table t {
    key = { h.h.a : exact @name("k"); h.h.c & 15 : ternary; }
    actions = { set(1); NoAction; }
    const entries = { (1, 2 &&& 3) : set(1); priority = 4: (_, _) : NoAction(); }
    default_action = NoAction(); size = 10;
  }
  apply {
    for (byte i = 0; i < 4; i += 1) { if (t.apply().hit && (bit<8>) i > 2) exit; else { h = {#}; } }
    switch (t.apply().action_run) { set: { return; } default: {} }
    h.h = { a = 1, ... }; id<byte>(x >> 2 >= 1 ? 3 : -4s2);
  }
}
@pragma foo bar
package P(parser_t p = {}, int n);
P(p(), c(1)) main;
)";

std::string mutated(std::mt19937& random) {
  std::string text(kProgram);
  auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  static constexpr std::string_view kPieces[] = {
      "(",    ")",  "{",   "}",   "<",       ">",      ";",      ":", "@",  "#",  "\n", "\"",
      "bit<", "..", "&&&", "{#}", "action ", "apply ", "state ", "=", "/*", "\\", ","};
  std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text.erase(at, 1 + below(20));
        break;
      case 1:
        text.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(60)));
        break;
      case 3:
        text[at] = static_cast<char>(1 + below(255));
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

TEST(Robustness, SurvivesRandomChanges) {
  std::mt19937 random(20240601);
  Folder folder;
  std::size_t accepted = 0;
  constexpr int kPrograms = 1500;
  for (int i = 0; i < kPrograms; ++i) {
    std::string path = folder.write("program.p4", mutated(random));
    SourceManager sources;
    Diagnostics diagnostics(sources);
    auto tree = parse_program(path, {}, diagnostics);
    EXPECT_EQ(tree.has_value(), !diagnostics.has_errors());
    if (!tree) continue;
    ++accepted;
    EXPECT_EQ(dump(**tree, sources).empty(), (*tree)->declarations.empty());
  }
  EXPECT_GT(accepted, 0U);
  EXPECT_LT(accepted, static_cast<std::size_t>(kPrograms));
}

TEST(Robustness, SurvivesProgramsOfAnyBytes) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> byte(1, 255);
  std::uniform_int_distribution<int> printable(32, 126);
  for (int i = 0; i < 200; ++i) {
    std::string text;
    for (int j = 0; j < 400; ++j) text += static_cast<char>(i % 2 == 0 ? byte(random) : printable(random));
    auto parsed = parse_text(text);
    EXPECT_EQ(parsed->tree != nullptr, !parsed->diagnostics.has_errors());
  }
}

}  // namespace
}  // namespace perfpact::p4
