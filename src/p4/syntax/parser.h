// From a file to a syntax tree: preprocessing (clang's preprocessor), lexing, parsing of the whole P4_16
// grammar. Programs find our own core.p4 and v1model.p4 without any flag.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "p4/syntax/ast.h"

namespace perfpact::p4 {

struct ParseOptions {
  std::vector<std::string> include_directories;  // -I, in order; before the built-in ones
  std::vector<std::string> defines;              // -D: "NAME" or "NAME=VALUE"
};

/// Parses a program. Reports what the preprocessor, the lexer and the parser find, several errors per run.
[[nodiscard]] Result<std::unique_ptr<ast::Ast>> parse_program(const std::string& path,
                                                              const ParseOptions& options,
                                                              Diagnostics& diagnostics);
/// Parses a program that is not in a file; `name` is what diagnostics call it.
[[nodiscard]] Result<std::unique_ptr<ast::Ast>> parse_program_text(const std::string& name, std::string text,
                                                                   const ParseOptions& options,
                                                                   Diagnostics& diagnostics);
/// The tree as indented text, stable enough for golden tests.
[[nodiscard]] std::string dump(const ast::Ast& ast, const SourceManager& sources);

}  // namespace perfpact::p4
