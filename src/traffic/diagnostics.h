// What can be wrong with a traffic recipe.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::traffic::diag {

// Values.
inline constexpr DiagnosticKind kBadValue{"traffic-bad-value", Severity::Error,
                                          "'{}' is no value; expected a number, an address, a prefix "
                                          "ADDRESS/LENGTH, a range FIRST..LAST, VALUE &&& "
                                          "MASK, or a mapping with 'counter', 'one_of' or 'routes'"};
inline constexpr DiagnosticKind kValueForm{"traffic-value-form", Severity::Error,
                                           "a value has one of the keys 'counter', 'one_of' and 'routes'{}"};
inline constexpr DiagnosticKind kPrefixLength{
    "traffic-prefix-length", Severity::Error,
    "'{}' is no prefix; expected an address and a length up to its {} bits"};
inline constexpr DiagnosticKind kBitsOutside{"traffic-bits-outside", Severity::Error,
                                             "'{}' has bits set that are left open by its {}"};
inline constexpr DiagnosticKind kEmptyRange{"traffic-empty-range", Severity::Error,
                                            "the range '{}' is empty: its first is above its last"};
inline constexpr DiagnosticKind kWidths{"traffic-widths", Severity::Error,
                                        "'{}' is made of addresses of different kinds"};
inline constexpr DiagnosticKind kNothingToChoose{"traffic-nothing-to-choose", Severity::Error,
                                                 "'one_of' is empty; expected a list of values"};
inline constexpr DiagnosticKind kDuration{
    "traffic-duration", Severity::Error,
    "'{}' is no time; expected a number and a unit, ns, us, ms or s, that is a whole number of nanoseconds"};
inline constexpr DiagnosticKind kNumberRange{
    "traffic-number-range", Severity::Error,
    "'{}' is no {}; expected a number or FIRST..LAST, from {} to {}"};

// Names.
inline constexpr DiagnosticKind kUnknownFlows{"traffic-unknown-flows", Severity::Error,
                                              "there is no set of flows '{}'{}"};
inline constexpr DiagnosticKind kUnknownRoutes{"traffic-unknown-routes", Severity::Error,
                                               "there are no routes '{}'{}"};
inline constexpr DiagnosticKind kUnknownValue{"traffic-unknown-value", Severity::Error,
                                              "the flows '{}' have no value '{}'{}"};
inline constexpr DiagnosticKind kBadReference{
    "traffic-bad-reference", Severity::Error,
    "'{}' is no value of a flow; expected $NAME.VALUE with a NAME that the stream draws{}"};
inline constexpr DiagnosticKind kBadName{
    "traffic-bad-name", Severity::Error,
    "'{}' is no name; expected a letter, then letters, digits and underscores"};
inline constexpr DiagnosticKind kPhaseTwice{"traffic-phase-twice", Severity::Error,
                                            "there is a phase '{}' already"};

// Flows.
inline constexpr DiagnosticKind kTooManyFlows{
    "traffic-too-many-flows", Severity::Error,
    "the values of the flows '{}' differ in {} ways only, for {} flows"};
inline constexpr DiagnosticKind kFlowWindow{"traffic-flow-window", Severity::Error,
                                            "flows {} to {} are drawn, but the set '{}' has {}{}"};
inline constexpr DiagnosticKind kBadOrder{
    "traffic-bad-order", Severity::Error,
    "'{}' is no order; expected sequential, uniform or {{zipf: EXPONENT}}{}"};
inline constexpr DiagnosticKind kZipf{"traffic-zipf", Severity::Error,
                                      "'{}' is no exponent of a Zipf distribution; expected 0 to 10"};
inline constexpr DiagnosticKind kChurn{"traffic-churn", Severity::Error,
                                       "'{}' is no share of packets; expected 0 to 1"};

// Places in hash tables.
inline constexpr DiagnosticKind kUnknownStructure{
    "traffic-unknown-structure", Severity::Error,
    "there is no structure '{}' whose hash is known{}; expected hash_map or mac_table"};
inline constexpr DiagnosticKind kUnknownPlace{
    "traffic-unknown-place", Severity::Error,
    "'{}' is no wish for a place; expected same_hash, same_slot or own_slot{}"};
inline constexpr DiagnosticKind kSlots{"traffic-slots", Severity::Error,
                                       "{} slots are no power of two from 1 to 2^31"};
inline constexpr DiagnosticKind kKeyBits{"traffic-key-bits", Severity::Error,
                                         "a word of the key has {} bits; expected at most {}"};
inline constexpr DiagnosticKind kKeyWords{"traffic-key-words", Severity::Error,
                                          "the key has {} words; {} has keys of {}"};
inline constexpr DiagnosticKind kKeyPart{
    "traffic-key-part", Severity::Error,
    "'{}' is no part of a key; expected a value of the flows or a number, and its bits{}"};
inline constexpr DiagnosticKind kKeyPartWide{"traffic-key-part-wide", Severity::Error,
                                             "'{}' can be {}, which does not fit {} bits of the key"};
inline constexpr DiagnosticKind kImpossiblePlaces{
    "traffic-impossible-places", Severity::Error,
    "cannot find {} flows of '{}' with the places wished for, only {}; more values to choose from, or more "
    "slots, would help"};

// Streams and phases.
inline constexpr DiagnosticKind kHeaderForm{
    "traffic-header-form", Severity::Error,
    "a header is a name or a mapping of one name to its fields, not {}"};
inline constexpr DiagnosticKind kNotEthernet{
    "traffic-not-ethernet", Severity::Error,
    "the packet begins with '{}'; captures are of Ethernet packets, which begin with 'ethernet'"};
inline constexpr DiagnosticKind kFieldWidth{
    "traffic-field-width", Severity::Error,
    "the value of field '{}' can be {}, which does not fit its {} bits"};
inline constexpr DiagnosticKind kAddressWidth{"traffic-address-width", Severity::Error,
                                              "field '{}' has {} bits, but its value is an address of {}"};
inline constexpr DiagnosticKind kMixAndStream{"traffic-mix-and-stream", Severity::Error,
                                              "phase '{}' has a mix; '{}' belongs into the streams of it"};
inline constexpr DiagnosticKind kNoWeight{"traffic-no-weight", Severity::Error,
                                          "no stream in the mix of phase '{}' has a weight above 0"};
inline constexpr DiagnosticKind kTooLong{"traffic-too-long", Severity::Error,
                                         "the traffic lasts beyond the {} seconds that a capture can tell"};

// Routes.
inline constexpr DiagnosticKind kBadRoute{
    "traffic-bad-route", Severity::Error,
    "line {} of '{}': expected A.B.C.D/LENGTH PORT with a length from 0 to 32, not '{}'"};
inline constexpr DiagnosticKind kTooManyRoutes{"traffic-too-many-routes", Severity::Error,
                                               "cannot make {} different routes: {} were found"};
inline constexpr DiagnosticKind kNoSuchRoute{
    "traffic-no-such-route", Severity::Error,
    "no address has a longest match of {} to {} bits in the routes '{}'"};
inline constexpr DiagnosticKind kRoutesNotNamed{
    "traffic-routes-not-named", Severity::Error,
    "'{}' does not tell which routes to write: the recipe has {}; expected NAME=FILE"};

}  // namespace perfpact::traffic::diag
