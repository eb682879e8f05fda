// What can be wrong with packets as people write them.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::packet::diag {

inline constexpr DiagnosticKind kUnknownHeader{"packet-unknown-header", Severity::Error,
                                               "there is no header '{}'{}"};
inline constexpr DiagnosticKind kUnknownField{"packet-unknown-field", Severity::Error,
                                              "header '{}' has no field '{}'{}"};
inline constexpr DiagnosticKind kFieldTwice{"packet-field-twice", Severity::Error,
                                            "field '{}' of header '{}' is given twice"};
inline constexpr DiagnosticKind kBadValue{
    "packet-bad-value", Severity::Error,
    "'{}' is no value for a field; expected a number (decimal, 0x, 0b), a MAC, IPv4 or IPv6 address"};
inline constexpr DiagnosticKind kValueTooWide{"packet-value-too-wide", Severity::Error,
                                              "'{}' does not fit field '{}' of {} bits"};
inline constexpr DiagnosticKind kAddressWidth{"packet-address-width", Severity::Error,
                                              "'{}' is an address of {} bits, but field '{}' has {} bits"};
inline constexpr DiagnosticKind kNotBytes{
    "packet-not-bytes", Severity::Error,
    "the headers before {} have {} bits, which is no whole number of bytes"};
inline constexpr DiagnosticKind kBadHex{"packet-bad-hex", Severity::Error, "not a packet in hex: {}"};

inline constexpr DiagnosticKind kCaptureEmpty{"capture-empty", Severity::Error,
                                              "'{}' is empty; expected a pcap or pcapng capture"};
inline constexpr DiagnosticKind kCaptureFormat{"capture-format", Severity::Error,
                                               "'{}' is no pcap or pcapng capture that can be read: {}"};
inline constexpr DiagnosticKind kCaptureLinkType{"capture-link-type", Severity::Error,
                                                 "'{}' has link type {}; only Ethernet captures can be read"};
inline constexpr DiagnosticKind kTruncatedCapture{"truncated-capture", Severity::Error,
                                                  "'{}' breaks off after {} whole packets: {}"};
inline constexpr DiagnosticKind kCutPackets{
    "capture-cut-packets", Severity::Warning,
    "{} of the {} packets in '{}' were captured in part only; their missing bytes are taken as zeros"};

inline constexpr DiagnosticKind kCaptureCannotWrite{"capture-cannot-write", Severity::Error,
                                                    "cannot write '{}': {}"};

inline constexpr DiagnosticKind kFilterSyntax{"filter-syntax", Severity::Error,
                                              "'{}' is no filter of packets (pcap-filter(7)): {}"};

}  // namespace perfpact::packet::diag
