// The parser: recursive descent over the tokens, precedence climbing for expressions. The grammar is that of
// the P4_16 specification as the reference compiler reads it; comments show the rules.
//
// P4's grammar depends on which names are types (TypeNames). `<` after an expression starts type arguments if
// a type follows it and the matching `>` is followed by `(`.
//
// Errors: a syntax error is reported where it is met and thrown as Abandon to the nearest list of elements
// (statements, fields, states, declarations ...), which skips to the next element and goes on. No Abandon
// leaves the parser. Nesting is limited to kMaxDepth, so that no program exhausts the stack here or later.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "p4/syntax/ast.h"
#include "p4/syntax/diagnostics.h"
#include "p4/syntax/lexer.h"
#include "p4/syntax/token.h"
#include "p4/syntax/type_names.h"

namespace perfpact::p4 {

class Parser {
 public:
  static constexpr std::size_t kMaxDepth = 1000;
  static constexpr std::size_t kMaxErrors = 50;

  Parser(std::vector<Token> tokens, ast::Ast& ast, Diagnostics& diagnostics)
      : tokens_(std::move(tokens)), ast_(ast), diagnostics_(diagnostics) {}

  /// program: { declaration | ";" }. What it finds wrong is reported.
  void parse_program();

 private:
  struct Abandon {};
  struct TooManyErrors {};
  /// What kind of elements are parsed: decides which keywords show that a '}' is missing.
  enum class Level : std::uint8_t { Program, Members, Statements };

  // ---- tokens (parser_impl.cpp)
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] TokenKind kind(std::size_t ahead = 0) const { return peek(ahead).kind; }
  [[nodiscard]] bool at(TokenKind kind) const { return peek().kind == kind; }
  [[nodiscard]] const Token& previous() const { return tokens_[index_ == 0 ? 0 : index_ - 1]; }
  const Token& take();
  bool accept(TokenKind kind);
  const Token& expect(TokenKind kind);
  /// Expects a token that ends or continues a construct; the message points behind `what`.
  void expect_after(TokenKind kind, std::string_view what);
  /// Expects the ')', ']' or '}' that closes `open`.
  void expect_closing(TokenKind kind, const Span& open);
  void expect_closing_angle();
  [[nodiscard]] static bool is_name(TokenKind kind);
  [[nodiscard]] bool at_name(std::size_t ahead = 0) const { return is_name(kind(ahead)); }
  ast::Identifier identifier(std::string_view what = "a name");
  [[nodiscard]] static std::string describe(const Token& token);
  /// The index behind the bracket that matches the one at `index`, or none before the statement's end.
  [[nodiscard]] std::optional<std::size_t> behind_brackets(std::size_t index) const;

  // ---- errors (parser_impl.cpp)
  template <class... Arguments>
  void report(const DiagnosticKind& kind, const Span& span, const Arguments&... arguments) {
    if (++errors_ > kMaxErrors) {
      diagnostics_.report(diag::kTooManyErrors, span);
      throw TooManyErrors{};
    }
    diagnostics_.report(kind, span, arguments...);
  }
  template <class... Arguments>
  [[noreturn]] void fail(const DiagnosticKind& kind, const Span& span, const Arguments&... arguments) {
    if (at(TokenKind::Unexpected))
      report(diag::kUnexpectedCharacter, peek().span, describe(peek()));
    else
      report(kind, span, arguments...);
    throw Abandon{};
  }
  /// Reports that the innermost '{' is not closed before the current token.
  [[noreturn]] void fail_unclosed();
  /// If the current token is a name near to one of the keywords: reports it, and takes it for the keyword.
  bool correct_keyword(std::string_view what, const std::vector<TokenKind>& keywords);
  [[nodiscard]] bool begins_outer(Level level) const;
  [[nodiscard]] bool begins_element(Level level, bool nested) const;
  /// Skips what is left of a broken element. False: the enclosing list has to go on.
  bool recover(Level level, std::size_t start, std::size_t open_braces, std::size_t scopes);
  /// "{" { element } "}"
  template <class Element>
  void braced(Level level, const Element& element) {
    expect(TokenKind::LeftBrace);
    Level outer = std::exchange(level_, level);
    std::size_t open_braces = open_.size();
    std::size_t scopes = types_.depth();
    while (!at(TokenKind::RightBrace)) {
      std::size_t start = index_;
      try {
        if (at(TokenKind::End) || begins_outer(level)) fail_unclosed();
        element();
      } catch (Abandon) {
        if (!recover(level, start, open_braces, scopes)) throw;
      }
    }
    level_ = outer;
    take();
  }
  /// element { "," element }, up to a token that `closes`; a comma may stand at the end if `trailing_comma`.
  template <class Element>
  void comma_list(TokenKind closes, bool trailing_comma, const Element& element) {
    if (at(closes)) return;
    element();
    while (accept(TokenKind::Comma)) {
      if (trailing_comma && at(closes)) return;
      element();
    }
  }

  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxDepth) {
        --parser_.nesting_;
        parser_.too_deep();
      }
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };
  class Scope {
   public:
    explicit Scope(TypeNames& types) : types_(types), depth_(types.depth()) { types_.push(); }
    ~Scope() { types_.cut(depth_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    TypeNames& types_;
    std::size_t depth_;
  };
  [[noreturn]] void too_deep();

  /// A node that starts at the current token; finish() ends it behind the last token taken.
  template <class T>
  T* start() {
    return ast_.make<T>(peek().span);
  }
  template <class T>
  T* finish(T* node) {
    node->span = join(node->span, previous().span);
    return node;
  }

  // ---- declarations (parser_declarations.cpp)
  ast::Declaration* declaration();
  ast::Declaration* keyword_declaration();
  ast::Annotations annotations();
  ast::Annotation* annotation();
  void structured_annotation(ast::Annotation& annotation);
  void unstructured_annotation(ast::Annotation& annotation, TokenKind closes);
  std::vector<ast::TypeParameter*> type_parameters();
  std::vector<ast::Parameter*> parameters();
  ast::Parameter* parameter();
  ast::Type* declarator(ast::Type* type, ast::Identifier& name);
  ast::Constant* constant();
  ast::Declaration* variable_or_instance();
  ast::Variable* variable(ast::Type* type, const Span& start);
  ast::Instance* instance(ast::Type* type, const Span& start);
  ast::Declaration* function_or_instance();
  [[nodiscard]] bool at_function() const;
  ast::Function* function(ast::Type* return_type, const Span& start);
  ast::Declaration* extern_declaration();
  ast::Method* method(const std::string& extern_name);
  ast::Action* action();
  ast::Package* package();
  ast::Struct* struct_declaration();
  ast::Enum* enum_declaration();
  ast::ErrorDeclaration* error_declaration();
  ast::MatchKindDeclaration* match_kind_declaration();
  ast::EnumMember* enum_member(bool with_value);
  ast::Typedef* typedef_declaration();
  ast::Newtype* newtype_declaration();

  // ---- parsers and controls (parser_parsers.cpp)
  struct Head {
    Span start;
    ast::Identifier name;
    std::vector<ast::TypeParameter*> type_parameters;
    std::vector<ast::Parameter*> parameters;
  };
  /// ("parser" | "control" | "package") name typeParameters "(" parameters ")"; the caller has opened the
  /// scope.
  Head head();
  ast::Declaration* parser_declaration();
  ast::Declaration* control_declaration();
  void control_local(ast::Control& control);
  void parser_local(ast::Parser& parser);
  ast::ValueSet* value_set();
  ast::State* state();
  void transition(ast::State& state);
  ast::SelectCase* select_case();

  // ---- tables (parser_tables.cpp)
  ast::Table* table();
  void table_property(ast::Table& table);
  ast::KeyElement* key_element();
  ast::ActionElement* action_element();
  ast::ActionElement* action_reference();
  ast::TableEntry* table_entry();
  ast::Expression* keyset();
  ast::Expression* simple_keyset();

  // ---- statements (parser_statements.cpp)
  ast::Block* block(ast::Annotations annotations = {});
  ast::Statement* statement(bool declarations_allowed);
  ast::Statement* keyword_statement(ast::Annotations annotations);
  ast::Statement* declaration_statement(ast::Annotations annotations, bool allowed);
  ast::Statement* assignment_or_call();
  ast::If* if_statement();
  ast::Switch* switch_statement();
  ast::Statement* for_statement(ast::Annotations annotations);
  ast::Statement* for_in(ast::Annotations annotations, ast::Variable* variable, const Span& start);
  std::vector<ast::Statement*> for_clauses(TokenKind closes, std::vector<ast::Statement*> clauses);
  std::optional<ast::BinaryOperator> accept_assignment(bool& accepted);

  // ---- types (parser_types.cpp)
  [[nodiscard]] bool at_type_keyword(std::size_t ahead = 0) const;
  /// A known type's name, or a `.` and the name of a type outside all scopes.
  [[nodiscard]] bool at_type_name(std::size_t ahead = 0) const;
  /// At the beginning of a declaration `T x` or `T(...) x`, also of one whose type is not known.
  [[nodiscard]] bool at_typed_declaration() const;
  ast::Type* type();
  ast::Type* type_or_void();
  ast::Type* base_type();
  ast::Type* named_type();
  ast::Type* type_argument();
  std::vector<ast::Type*> type_arguments();
  ast::Expression* width();
  void unknown_type();
  /// With `<` at `index`: the index behind the matching `>`, if type arguments can be all that is between.
  [[nodiscard]] std::optional<std::size_t> behind_type_arguments(std::size_t index) const;
  /// The index behind the named type at `index`.
  [[nodiscard]] std::size_t behind_named_type(std::size_t index) const;

  // ---- expressions (parser_expressions.cpp)
  ast::Expression* expression();
  ast::Expression* binary(int minimum);
  ast::Expression* unary();
  ast::Expression* postfix(ast::Expression* object, bool is_statement);
  ast::Expression* primary();
  ast::Expression* parenthesized();
  ast::Expression* named_primary();
  ast::Expression* type_primary();
  ast::Expression* braces();
  ast::Expression* index_or_slice(ast::Expression* object);
  ast::Expression* call(ast::Expression* callee, std::vector<ast::Type*> type_arguments);
  std::vector<ast::Argument> arguments();
  ast::Argument argument();
  [[nodiscard]] bool at_cast() const;
  /// The operator at the current token, its precedence, and how many tokens it has.
  struct OperatorHere {
    ast::BinaryOperator op;
    int precedence;
    int tokens;
  };
  [[nodiscard]] std::optional<OperatorHere> operator_here() const;
  void deepen();

  std::vector<Token> tokens_;
  ast::Ast& ast_;
  Diagnostics& diagnostics_;
  TypeNames types_;
  std::size_t index_ = 0;
  std::vector<Span> open_;  // the '{' that are open
  Level level_ = Level::Program;
  std::size_t nesting_ = 0;
  std::size_t expression_depth_ = 0;  // of the deepest expression parsed since it was last set to 0
  bool no_greater_ = false;           // in `bit<w>`: `>` ends the expression
  std::size_t errors_ = 0;
  bool brace_missing_ = false;  // reported: later braces cannot be trusted
};

}  // namespace perfpact::p4
