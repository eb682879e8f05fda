#include "p4/syntax/parser.h"

#include "p4/syntax/parser_impl.h"
#include "p4/syntax/preprocessor.h"

namespace perfpact::p4 {

namespace {

Result<std::unique_ptr<ast::Ast>> parse(const Result<PreprocessedText>& text, Diagnostics& diagnostics) {
  if (!text) return std::unexpected(text.error());
  std::size_t errors_before = diagnostics.error_count();
  std::vector<Token> tokens = lex(*text, diagnostics);
  auto tree = std::make_unique<ast::Ast>();
  Parser(std::move(tokens), *tree, diagnostics).parse_program();
  if (diagnostics.error_count() > errors_before) return std::unexpected(diagnostics.already_reported());
  return tree;
}

}  // namespace

Result<std::unique_ptr<ast::Ast>> parse_program(const std::string& path, const ParseOptions& options,
                                                Diagnostics& diagnostics) {
  return parse(preprocess(path, options, diagnostics), diagnostics);
}

Result<std::unique_ptr<ast::Ast>> parse_program_text(const std::string& name, std::string text,
                                                     const ParseOptions& options, Diagnostics& diagnostics) {
  return parse(preprocess_text(name, std::move(text), options, diagnostics), diagnostics);
}

}  // namespace perfpact::p4
