// What can be wrong with table entries and the files they come from.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::tables::diag {

// Names.
inline constexpr DiagnosticKind kUnknownTable{"unknown-table", Severity::Error, "there is no table '{}'{}"};
inline constexpr DiagnosticKind kAmbiguousName{"ambiguous-name", Severity::Error,
                                               "'{}' is ambiguous: it can be {}"};
inline constexpr DiagnosticKind kUnknownAction{"table-unknown-action", Severity::Error,
                                               "table '{}' has no action '{}'{}"};
inline constexpr DiagnosticKind kUnknownKey{"table-unknown-key", Severity::Error,
                                            "table '{}' has no key '{}'{}"};

// Values and matches. `{} '{}'` is `key 'x'`, `parameter 'x'`.
inline constexpr DiagnosticKind kBadValue{
    "table-bad-value", Severity::Error,
    "'{}' is no value for {} '{}'; expected a number (decimal, 0x, 0b), a MAC, IPv4 or IPv6 address"};
inline constexpr DiagnosticKind kValueTooWide{"table-value-too-wide", Severity::Error,
                                              "'{}' does not fit {} '{}' of {} bits"};
inline constexpr DiagnosticKind kAddressWidth{"table-address-width", Severity::Error,
                                              "'{}' is an address of {} bits, but {} '{}' has {} bits"};
inline constexpr DiagnosticKind kBadMatch{"table-bad-match", Severity::Error,
                                          "'{}' cannot match the {} key '{}'; expected {}"};
inline constexpr DiagnosticKind kPrefixTooLong{"table-prefix-too-long", Severity::Error,
                                               "prefix length {} is no number up to the {} bits of key '{}'"};
inline constexpr DiagnosticKind kEmptyRange{"table-empty-range", Severity::Error,
                                            "the range of key '{}' is empty: {} is above {}"};
inline constexpr DiagnosticKind kBitsOutsideMask{
    "table-bits-outside-mask", Severity::Warning,
    "'{}' has bits outside its {} for key '{}'; they are cleared, the value is {}"};
inline constexpr DiagnosticKind kMissingMatch{
    "table-missing-match", Severity::Error, "the entry gives no value for the exact key '{}' of table '{}'"};
inline constexpr DiagnosticKind kKeyTwice{"table-key-twice", Severity::Error,
                                          "the entry gives key '{}' of table '{}' twice"};
inline constexpr DiagnosticKind kKeyCount{"table-key-count", Severity::Error,
                                          "table '{}' has {} keys, the entry gives {}"};
inline constexpr DiagnosticKind kMissingPriority{
    "missing-priority", Severity::Error,
    "the entry needs a priority: table '{}' has a ternary, range or optional key"};
inline constexpr DiagnosticKind kUnexpectedPriority{
    "unexpected-priority", Severity::Error,
    "entries of table '{}' have no priority: it has no ternary, range or optional key"};
inline constexpr DiagnosticKind kBadPriority{"bad-priority", Severity::Error,
                                             "priority '{}' is no whole number from {} to {}"};

// Actions.
inline constexpr DiagnosticKind kBadActionText{"table-bad-action-text", Severity::Error,
                                               "'{}' is no action; expected 'name' or 'name(values)'; {}"};
inline constexpr DiagnosticKind kArgumentCount{"table-argument-count", Severity::Error,
                                               "action '{}' takes {} arguments ({}), not {}"};
inline constexpr DiagnosticKind kUnknownParameter{"table-unknown-parameter", Severity::Error,
                                                  "action '{}' has no parameter '{}'{}"};
inline constexpr DiagnosticKind kMissingArgument{"table-missing-argument", Severity::Error,
                                                 "parameter '{}' of action '{}' is not given"};
inline constexpr DiagnosticKind kArgumentTwice{"table-argument-twice", Severity::Error,
                                               "parameter '{}' of action '{}' is given twice"};
inline constexpr DiagnosticKind kMixedArguments{
    "table-mixed-arguments", Severity::Error,
    "either all arguments of action '{}' are named or none; this one has no name"};
inline constexpr DiagnosticKind kDefaultOnly{
    "table-default-only", Severity::Error, "action '{}' is @defaultonly in table '{}': no entry can have it"};
inline constexpr DiagnosticKind kTableOnly{
    "table-table-only", Severity::Error, "action '{}' is @tableonly in table '{}': it cannot be the default"};
inline constexpr DiagnosticKind kConstDefault{"table-const-default", Severity::Error,
                                              "the default action of table '{}' is const"};

// What is installed as a whole.
inline constexpr DiagnosticKind kDuplicateEntry{"duplicate-entry", Severity::Error,
                                                "table '{}' already has an entry that matches the same{}"};
inline constexpr DiagnosticKind kConstEntries{"table-const-entries", Severity::Error,
                                              "the entries of table '{}' are const: none can be added"};
inline constexpr DiagnosticKind kKeylessEntry{"table-keyless-entry", Severity::Error,
                                              "table '{}' has no key: it can have no entry"};
inline constexpr DiagnosticKind kCapacity{"table-capacity", Severity::Warning,
                                          "table '{}' has size {}, but {} entries are installed"};
inline constexpr DiagnosticKind kImpossibleGenerate{
    "impossible-generate", Severity::Error,
    "cannot generate {} entries for table '{}': at most {} are possible that are distinct{}{}"};
inline constexpr DiagnosticKind kSeveralLpmKeys{"table-several-lpm-keys", Severity::Error,
                                                "not supported yet: table '{}' with more than one lpm key"};
inline constexpr DiagnosticKind kDuplicateGroup{"duplicate-multicast-group", Severity::Error,
                                                "multicast group {} exists already"};
inline constexpr DiagnosticKind kDuplicateSession{"duplicate-clone-session", Severity::Error,
                                                  "clone session {} exists already"};

// Action profiles and selectors, value sets.
inline constexpr DiagnosticKind kUnknownProfile{"unknown-action-profile", Severity::Error,
                                                "there is no action profile '{}' that a table has{}"};
inline constexpr DiagnosticKind kDirectTable{"direct-table", Severity::Error,
                                             "table '{}' has no action profile: its entries have actions"};
inline constexpr DiagnosticKind kIndirectTable{
    "indirect-table", Severity::Error,
    "the entries of table '{}' have members or groups of action profile '{}', no actions; expected '{}'"};
inline constexpr DiagnosticKind kNoSelector{
    "no-selector", Severity::Error, "'{}' is an action_profile, not an action_selector: it has no groups"};
inline constexpr DiagnosticKind kProfileTwice{"action-profile-twice", Severity::Error,
                                              "action profile '{}' has a {} {} already"};
inline constexpr DiagnosticKind kNotInProfile{"not-in-action-profile", Severity::Error,
                                              "action profile '{}' has no {} {}"};
inline constexpr DiagnosticKind kEmptyGroup{
    "empty-action-group", Severity::Error,
    "in action profile '{}' group {} has no member: nothing can be chosen"};
inline constexpr DiagnosticKind kEmptyActionSet{"empty-action-set", Severity::Error,
                                                "a set of actions for action profile '{}' is empty"};
inline constexpr DiagnosticKind kOneOfIndirect{"one-of-indirect", Severity::Error,
                                               "{} of table '{}' has {} of {}; expected one"};
inline constexpr DiagnosticKind kUnknownValueSet{"unknown-value-set", Severity::Error,
                                                 "there is no value set '{}'{}"};
inline constexpr DiagnosticKind kEmptyValueSet{
    "empty-value-set", Severity::Warning,
    "value set '{}' has no values: no case of a select that names it is ever taken"};

// Files.
inline constexpr DiagnosticKind kEmptyFile{
    "tables-empty-file", Severity::Error,
    "'{}' is empty; expected a tables YAML, simple_switch_CLI commands or P4Runtime JSON"};
inline constexpr DiagnosticKind kNotText{
    "tables-not-text", Severity::Error,
    "'{}' is no text; expected a tables YAML, simple_switch_CLI commands or P4Runtime JSON"};
inline constexpr DiagnosticKind kCyclicInclude{"cyclic-include", Severity::Error, "'{}' includes itself: {}"};
inline constexpr DiagnosticKind kBadMatching{"generate-bad-matching", Severity::Error,
                                             "matching must be 'none' or 'any', not '{}'"};

// Command files.
inline constexpr DiagnosticKind kUnknownCommand{"unknown-command", Severity::Error, "unknown command '{}'{}"};
inline constexpr DiagnosticKind kCommandUsage{"command-usage", Severity::Error, "expected '{}'"};
inline constexpr DiagnosticKind kUnsupportedCommand{"unsupported-command", Severity::Error,
                                                    "not supported yet: {} ({})"};
inline constexpr DiagnosticKind kBadNumber{"command-bad-number", Severity::Error,
                                           "'{}' is no {}; expected a whole number up to {}"};
inline constexpr DiagnosticKind kUnknownHandle{"unknown-handle", Severity::Error,
                                               "{} has no entry with handle {} here"};
inline constexpr DiagnosticKind kUncertainHandle{
    "uncertain-handle", Severity::Error,
    "not supported yet: handle {} of an entry of table '{}' that was added after a table_delete"};
inline constexpr DiagnosticKind kUnknownNode{"unknown-multicast-node", Severity::Error,
                                             "no multicast node with handle {} was created before"};
inline constexpr DiagnosticKind kUnknownGroup{"unknown-multicast-group", Severity::Error,
                                              "no multicast group {} was created before"};
inline constexpr DiagnosticKind kLineTooLong{"command-line-too-long", Severity::Error,
                                             "a line of {} bytes; commands have at most {}"};
inline constexpr DiagnosticKind kTooManyErrors{"too-many-errors", Severity::Error,
                                               "more than {} errors; the rest of '{}' is not read"};

// STF.
inline constexpr DiagnosticKind kStfUnknownStatement{"stf-unknown-statement", Severity::Error,
                                                     "'{}' is no statement of STF{}"};
inline constexpr DiagnosticKind kStfUnsupported{"stf-unsupported", Severity::Error,
                                                "not supported yet: {} in an STF file"};
inline constexpr DiagnosticKind kStfExpected{"stf-expected", Severity::Error, "expected {}, found {}"};
inline constexpr DiagnosticKind kStfUnknownEntry{"stf-unknown-entry", Severity::Error,
                                                 "no entry named '{}' was added before{}"};
inline constexpr DiagnosticKind kStfStars{
    "stf-stars", Severity::Error,
    "'{}' cannot match the {} key '{}': '*' stands in ternary keys, and at the end in lpm keys"};
inline constexpr DiagnosticKind kStfPrefix{"stf-prefix", Severity::Error,
                                           "a prefix length with the {} key '{}'; only lpm keys have one"};

// P4Runtime JSON.
inline constexpr DiagnosticKind kJsonSyntax{"json-syntax", Severity::Error, "not valid JSON: {}"};
inline constexpr DiagnosticKind kJsonExpected{"json-expected", Severity::Error, "{} must be {}, not {}"};
inline constexpr DiagnosticKind kJsonUnknownKey{"json-unknown-key", Severity::Error,
                                                "unknown key '{}' in {}{}"};
inline constexpr DiagnosticKind kJsonMissingKey{"json-missing-key", Severity::Error, "{} needs a key '{}'"};
inline constexpr DiagnosticKind kJsonDuplicateKey{"json-duplicate-key", Severity::Error,
                                                  "key '{}' stands twice"};

}  // namespace perfpact::tables::diag
