// What can be wrong with the text of a P4 program.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::p4::diag {

// files and preprocessing
inline constexpr DiagnosticKind kNotText{"not-text", Severity::Error,
                                         "'{}' is not a text file: byte {} is a NUL character"};
inline constexpr DiagnosticKind kFileTooLarge{"file-too-large", Severity::Error,
                                              "'{}' is larger than {} MB, too large for a P4 program"};
inline constexpr DiagnosticKind kEmptyProgram{"empty-program", Severity::Error,
                                              "'{}' is empty; expected a P4 program"};
inline constexpr DiagnosticKind kIncludeNotFound{"include-not-found", Severity::Error,
                                                 "there is no file '{}' to include{}"};
inline constexpr DiagnosticKind kBadDefine{
    "bad-define", Severity::Error,
    "cannot define '{}': expected NAME or NAME=VALUE, where NAME is an identifier"};
inline constexpr DiagnosticKind kPreprocessor{"preprocessor", Severity::Error, "{}"};
inline constexpr DiagnosticKind kPreprocessorWarning{"preprocessor-warning", Severity::Warning, "{}"};
inline constexpr DiagnosticKind kUnknownDirective{"unknown-directive", Severity::Warning,
                                                  "the directive '#{}' is not known and ignored{}"};
inline constexpr DiagnosticKind kExpansionTooLarge{
    "expansion-too-large", Severity::Error,
    "preprocessing makes the program too large: over {} tokens or {} MB"};

// tokens
inline constexpr DiagnosticKind kUnexpectedCharacter{"unexpected-character", Severity::Error,
                                                     "unexpected character {}"};
inline constexpr DiagnosticKind kUnterminatedString{"unterminated-string", Severity::Error,
                                                    "this string has no closing '\"'"};
inline constexpr DiagnosticKind kMalformedNumber{"malformed-number", Severity::Error,
                                                 "'{}' is not a number: {}"};
inline constexpr DiagnosticKind kLiteralWidth{"literal-width", Severity::Error,
                                              "a number of {} bits is too wide; at most {} are supported"};
inline constexpr DiagnosticKind kLiteralTruncated{"literal-truncated", Severity::Warning,
                                                  "'{}' does not fit in {} bits; it becomes {}"};

// grammar
inline constexpr DiagnosticKind kExpectedToken{"expected-token", Severity::Error, "expected {}, found {}"};
inline constexpr DiagnosticKind kExpectedAfter{"expected-after", Severity::Error, "expected '{}' after {}"};
inline constexpr DiagnosticKind kExpectedType{"expected-type", Severity::Error,
                                              "expected a type, found {}{}"};
inline constexpr DiagnosticKind kExpectedExpression{"expected-expression", Severity::Error,
                                                    "expected an expression, found {}"};
inline constexpr DiagnosticKind kExpectedStatement{"expected-statement", Severity::Error,
                                                   "expected a statement, found {}{}"};
inline constexpr DiagnosticKind kExpectedDeclaration{"expected-declaration", Severity::Error,
                                                     "expected {}, found {}{}"};
inline constexpr DiagnosticKind kUnclosed{"unclosed", Severity::Error, "expected '{}' before {}"};
inline constexpr DiagnosticKind kExtraBrace{"extra-brace", Severity::Error, "this '}}' closes nothing"};
inline constexpr DiagnosticKind kNotAValue{"not-a-value", Severity::Error,
                                           "'{}' is a type; expected a value"};
inline constexpr DiagnosticKind kNotAStatement{
    "not-a-statement", Severity::Error, "an expression is not a statement; expected a call or an assignment"};
inline constexpr DiagnosticKind kDeclarationNotHere{
    "declaration-not-here", Severity::Error, "a declaration needs a block here: put it into '{{' and '}}'"};
inline constexpr DiagnosticKind kVariableNotHere{
    "variable-not-here", Severity::Error,
    "a variable is not allowed here; expected a function or an instance"};
inline constexpr DiagnosticKind kConstructorName{
    "constructor-name", Severity::Error, "'{}' has no return type, and the constructor is called '{}'"};
inline constexpr DiagnosticKind kStatementNotInState{"statement-not-in-state", Severity::Error,
                                                     "{} is not allowed in a parser state"};
inline constexpr DiagnosticKind kAnnotationNotHere{"annotation-not-here", Severity::Error,
                                                   "an annotation is not allowed here"};
inline constexpr DiagnosticKind kNoStates{"no-states", Severity::Error, "the parser '{}' has no states"};
inline constexpr DiagnosticKind kMissingApply{"missing-apply", Severity::Error,
                                              "the control '{}' has no apply block"};
inline constexpr DiagnosticKind kTooDeep{"too-deep", Severity::Error, "nested more than {} deep"};
inline constexpr DiagnosticKind kTooManyErrors{"too-many-syntax-errors", Severity::Error,
                                               "too many errors; the rest of the program is not parsed"};

}  // namespace perfpact::p4::diag
