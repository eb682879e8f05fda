// What the checker reports.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::p4::diag {

// names
inline constexpr DiagnosticKind kUnknownName{"unknown-name", Severity::Error, "there is no '{}' here{}"};
inline constexpr DiagnosticKind kUnknownType{"unknown-type", Severity::Error, "there is no type '{}'{}"};
inline constexpr DiagnosticKind kNoErrors{"no-errors", Severity::Error,
                                          "there is no declaration of 'error'; core.p4 has one"};
inline constexpr DiagnosticKind kUnknownMember{"unknown-member", Severity::Error,
                                               "'{}' has no member '{}'{}"};
inline constexpr DiagnosticKind kUnknownField{"unknown-field", Severity::Error, "'{}' has no field '{}'{}"};
inline constexpr DiagnosticKind kUnknownState{"unknown-state", Severity::Error, "there is no state '{}'{}"};
inline constexpr DiagnosticKind kUnknownMatchKind{"unknown-match-kind", Severity::Error,
                                                  "there is no match kind '{}'{}"};
inline constexpr DiagnosticKind kUnknownParameter{"unknown-parameter", Severity::Error,
                                                  "'{}' has no parameter '{}'{}"};
inline constexpr DiagnosticKind kDuplicateDeclaration{"duplicate-declaration", Severity::Error,
                                                      "'{}' is declared twice"};
inline constexpr DiagnosticKind kNotAType{"not-a-type", Severity::Error, "'{}' is not a type"};
inline constexpr DiagnosticKind kNoValue{"no-value", Severity::Error, "{} is not a value"};
inline constexpr DiagnosticKind kRecursion{"recursion", Severity::Error,
                                           "'{}' calls itself; P4 has no recursion"};

// types
inline constexpr DiagnosticKind kTypeMismatch{"type-mismatch", Severity::Error,
                                              "expected '{}', but this is '{}'"};
inline constexpr DiagnosticKind kTypeArguments{"type-arguments", Severity::Error,
                                               "'{}' takes {} type argument{}, but {} given"};
inline constexpr DiagnosticKind kCannotInfer{"cannot-infer", Severity::Error,
                                             "cannot infer type argument '{}' of '{}'"};
inline constexpr DiagnosticKind kBadType{"bad-type", Severity::Error, "{} cannot be of type '{}'"};
inline constexpr DiagnosticKind kBadWidth{"bad-width", Severity::Error, "{} must be {}, not {}"};
inline constexpr DiagnosticKind kNoWidth{"no-width", Severity::Error,
                                         "{} needs a width here: write 8w5 instead of 5, for example"};

inline constexpr DiagnosticKind kContainsItself{"contains-itself", Severity::Error, "'{}' contains itself"};

inline constexpr DiagnosticKind kBadDeclaration{"bad-declaration", Severity::Error, "{}"};
inline constexpr DiagnosticKind kHidesParameter{"hides-parameter", Severity::Error,
                                                "'{}' hides the parameter of this name"};
inline constexpr DiagnosticKind kBadAnnotation{"bad-annotation", Severity::Error, "{}"};

// expressions
inline constexpr DiagnosticKind kBadOperands{"bad-operands", Severity::Error,
                                             "'{}' cannot be applied to '{}' and '{}'"};
inline constexpr DiagnosticKind kBadOperand{"bad-operand", Severity::Error, "'{}' cannot be applied to '{}'"};
inline constexpr DiagnosticKind kBadCast{"bad-cast", Severity::Error, "cannot cast '{}' to '{}'"};
inline constexpr DiagnosticKind kBadIndex{"bad-index", Severity::Error, "{}"};
inline constexpr DiagnosticKind kDivision{"division", Severity::Error, "{}"};
inline constexpr DiagnosticKind kNotKnown{"not-known", Severity::Error, "{} must be known at compile time"};
inline constexpr DiagnosticKind kConstantOverflow{"constant-overflow", Severity::Warning,
                                                  "{} does not fit in '{}'; it becomes {}"};
inline constexpr DiagnosticKind kShiftTooFar{"shift-too-far", Severity::Warning,
                                             "shifting a '{}' by {} leaves nothing of it"};
inline constexpr DiagnosticKind kNotAssignable{"not-assignable", Severity::Error, "{}"};
inline constexpr DiagnosticKind kFieldCount{"field-count", Severity::Error,
                                            "'{}' has {} element{}, but {} given"};
inline constexpr DiagnosticKind kMissingField{"missing-field", Severity::Error,
                                              "no value for field '{}' of '{}'"};
inline constexpr DiagnosticKind kDuplicateField{"duplicate-field", Severity::Error,
                                                "field '{}' is given twice"};

// calls
inline constexpr DiagnosticKind kNotCallable{"not-callable", Severity::Error, "{} cannot be called"};
inline constexpr DiagnosticKind kArgumentCount{"argument-count", Severity::Error,
                                               "'{}' takes {} argument{}, but {} given"};
inline constexpr DiagnosticKind kMissingArgument{"missing-argument", Severity::Error,
                                                 "no argument for parameter '{}' of '{}'"};
inline constexpr DiagnosticKind kDuplicateArgument{"duplicate-argument", Severity::Error,
                                                   "parameter '{}' is given twice"};
inline constexpr DiagnosticKind kMixedArguments{"mixed-arguments", Severity::Error,
                                                "arguments are either all named or all in order"};
inline constexpr DiagnosticKind kNoOverload{"no-overload", Severity::Error, "no '{}' takes these arguments"};
inline constexpr DiagnosticKind kAmbiguousOverload{"ambiguous-overload", Severity::Error,
                                                   "more than one '{}' takes these arguments"};
inline constexpr DiagnosticKind kBadArgument{"bad-argument", Severity::Error, "{}"};
inline constexpr DiagnosticKind kBadDirection{"bad-direction", Severity::Error, "{}"};
inline constexpr DiagnosticKind kMisplaced{"misplaced", Severity::Error, "{} is not allowed in {}"};
inline constexpr DiagnosticKind kStaticAssert{"static-assert", Severity::Error,
                                              "the static assertion does not hold"};
inline constexpr DiagnosticKind kAbstractMethod{"abstract-method", Severity::Error, "{}"};

// statements
inline constexpr DiagnosticKind kMissingReturn{"missing-return", Severity::Error,
                                               "'{}' can end without returning a value"};
inline constexpr DiagnosticKind kBadReturn{"bad-return", Severity::Error, "{}"};
inline constexpr DiagnosticKind kDuplicateLabel{"duplicate-label", Severity::Error, "this case stands twice"};
inline constexpr DiagnosticKind kBadLabel{"bad-label", Severity::Error, "{}"};

// parsers
inline constexpr DiagnosticKind kMissingStart{"missing-start", Severity::Error,
                                              "parser '{}' has no state 'start'"};
inline constexpr DiagnosticKind kReservedState{"reserved-state", Severity::Error,
                                               "state '{}' is built in and cannot be declared"};
inline constexpr DiagnosticKind kUnreachableState{"unreachable-state", Severity::Warning,
                                                  "no transition leads to state '{}'"};
inline constexpr DiagnosticKind kNeverEnds{"never-ends", Severity::Error,
                                           "parser '{}' never reaches 'accept' or 'reject'"};
inline constexpr DiagnosticKind kEmptyRange{"empty-range", Severity::Warning,
                                            "the range is empty: {} is above {}"};
inline constexpr DiagnosticKind kBadKeyset{"bad-keyset", Severity::Error, "{}"};

// tables
inline constexpr DiagnosticKind kUnknownAction{"unknown-action", Severity::Error,
                                               "there is no action '{}'{}"};
inline constexpr DiagnosticKind kNotInActions{"not-in-actions", Severity::Error,
                                              "action '{}' is not among the actions of table '{}'"};
inline constexpr DiagnosticKind kNoActions{"no-actions", Severity::Error, "table '{}' has no actions"};
inline constexpr DiagnosticKind kNoNoAction{
    "no-no-action", Severity::Error,
    "table '{}' has no default_action, and there is no action 'NoAction'; core.p4 declares it"};
inline constexpr DiagnosticKind kUnnamedKey{"unnamed-key", Severity::Error,
                                            "a key of this form needs an annotation @name"};
inline constexpr DiagnosticKind kPropertyOrder{"property-order", Severity::Error,
                                               "property '{}' must stand after '{}'"};
inline constexpr DiagnosticKind kDuplicateProperty{"duplicate-property", Severity::Error,
                                                   "property '{}' stands twice"};
inline constexpr DiagnosticKind kBadProperty{"bad-property", Severity::Error, "{}"};
inline constexpr DiagnosticKind kBadEntry{"bad-entry", Severity::Error, "{}"};

// programs
inline constexpr DiagnosticKind kBadMain{"bad-main", Severity::Error,
                                         "'main' must be an instance of a package"};
inline constexpr DiagnosticKind kNestedTooDeeply{"nested-too-deeply", Severity::Error,
                                                 "this is nested too deeply"};
inline constexpr DiagnosticKind kNotCheckedYet{"not-checked-yet", Severity::Error, "not supported yet: {}"};

}  // namespace perfpact::p4::diag
