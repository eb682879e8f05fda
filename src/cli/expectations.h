// What packets should leave on each port, in order, against what did.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "tables/stf.h"

namespace perfpact::cli {

/// A packet of the test by its number in it, from 0.
using PacketNumber = std::size_t;

struct Failure {
  Span at;               // of the expectation, or of the packet whose output nothing expects
  std::string reason;    // "port 1: byte 3 is 05, expected 06"
  std::string expected;  // hexadecimal; empty where the reason says all
  std::string sent;
  std::optional<PacketNumber> packet;  // the one whose path matters
};

/// Why `sent` (hexadecimal, lower case) is not what is expected; nothing when it is.
[[nodiscard]] std::optional<std::string> mismatch(const tables::stf::Expect& expect, const std::string& sent);

class Expectations {
 public:
  /// `packet` is the last one before the expectation.
  void expect(const tables::stf::Expect& expect, const Span& at, std::optional<PacketNumber> packet);
  /// A packet comes in on the port.
  void attach(std::uint64_t port) { ports_[port].is_attached = true; }
  void sent(std::uint64_t port, std::string hex, PacketNumber packet, const Span& at);

  [[nodiscard]] std::size_t count() const;
  /// By port: the n-th output is held to the n-th expectation. In a test without any expectation, outputs are
  /// judged on the ports only on which packets come in (other ports are then not attached, as with p4c's own
  /// runner).
  [[nodiscard]] std::vector<Failure> failures() const;

 private:
  struct Expected {
    tables::stf::Expect expect;
    Span at;
    std::optional<PacketNumber> packet;
  };
  struct Output {
    std::string hex;
    PacketNumber packet;
    Span at;
  };
  struct Port {
    std::vector<Expected> expected;
    std::vector<Output> sent;
    bool is_attached = false;
  };
  std::map<std::uint64_t, Port> ports_;
};

}  // namespace perfpact::cli
