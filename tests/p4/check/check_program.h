// Checks a program given as text.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>

#include "p4/check/typed_program.h"
#include "p4/syntax/parser.h"

namespace perfpact::p4 {

struct Checked {
  std::unique_ptr<SourceManager> sources = std::make_unique<SourceManager>();
  std::unique_ptr<Diagnostics> diagnostics = std::make_unique<Diagnostics>(*sources);
  std::shared_ptr<const TypedProgram> program;  // null when something was wrong
  bool was_parsed = false;

  [[nodiscard]] std::string text() const { return diagnostics->render(); }
  [[nodiscard]] std::size_t count(std::string_view id) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        diagnostics->all(), [&](const Diagnostic& diagnostic) { return diagnostic.kind->id == id; }));
  }
};

inline std::string write_program(const std::string& text) {
  static int number = 0;
  const std::string path =
      testing::TempDir() + "check_" + std::to_string(::getpid()) + "_" + std::to_string(number++) + ".p4";
  std::ofstream(path) << text;
  return path;
}

inline Checked check_text(const std::string& text) {
  Checked result;
  const std::string path = write_program(text);
  auto ast = parse_program(path, {}, *result.diagnostics);
  std::remove(path.c_str());
  if (!ast) return result;
  result.was_parsed = true;
  auto program = check(std::shared_ptr<const ast::Ast>(std::move(*ast)), *result.diagnostics);
  if (program) result.program = *program;
  return result;
}

/// The program is right.
inline Checked expect_right(const std::string& text) {
  Checked result = check_text(text);
  EXPECT_TRUE(result.program != nullptr) << result.text();
  return result;
}

/// Exactly one error is told, of this kind, with this in its message.
inline void expect_fault(const std::string& text, std::string_view id, std::string_view message) {
  Checked result = check_text(text);
  EXPECT_TRUE(result.was_parsed) << result.text();
  EXPECT_EQ(result.program, nullptr) << "accepted, but should give [" << id << "]: " << text;
  EXPECT_EQ(result.diagnostics->error_count(), 1U) << result.text();
  EXPECT_EQ(result.count(id), 1U) << result.text();
  EXPECT_NE(result.text().find(message), std::string::npos) << "no '" << message << "' in\n" << result.text();
}

/// Statements in the body of a control with a parameter `h` and some variables.
inline std::string in_control(const std::string& statements, const std::string& locals = "") {
  return R"(
#include <core.p4>
header H { bit<8> a; bit<16> b; int<8> s; bool flag; varbit<32> v; }
struct S { H h; H[4] hs; bit<8> x; }
enum E { One, Two }
enum bit<8> Number { Low = 1, High = 2 }
type bit<9> Port;
action nothing() {}
control C(inout S h, in bit<8> read_only) {
  bit<8> x = 1; bit<16> y = 2; int<8> i = 3; bool flag = true; E e = E.One; Number n = Number.Low; Port p;
  tuple<bit<8>, bool> pair = {1, true};
  action set(bit<8> value) { x = value; }
  action copy(in bit<8> from, bit<8> value) { x = from; }
  table t { key = { x : exact; } actions = { set; nothing; } }
  )" + locals +
         "\n  apply {\n" + statements + "\n  }\n}\n";
}

}  // namespace perfpact::p4
