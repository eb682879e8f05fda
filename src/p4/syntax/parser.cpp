#include "p4/syntax/parser.h"

#include "p4/syntax/parser_impl.h"
#include "p4/syntax/preprocessor.h"

namespace perfpact::p4 {

Result<std::unique_ptr<ast::Ast>> parse_program(const std::string& path, const ParseOptions& options,
                                                Diagnostics& diagnostics) {
  Result<PreprocessedText> text = preprocess(path, options, diagnostics);
  if (!text) return std::unexpected(text.error());
  std::size_t errors_before = diagnostics.error_count();
  std::vector<Token> tokens = lex(*text, diagnostics);
  auto tree = std::make_unique<ast::Ast>();
  Parser(std::move(tokens), *tree, diagnostics).parse_program();
  if (diagnostics.error_count() > errors_before) return std::unexpected(diagnostics.already_reported());
  return tree;
}

}  // namespace perfpact::p4
