// A packet of which some fields change from one to the next: headers are resolved once, checksums are kept
// right. Tested by tests/packet/template_test.cpp.
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "packet/packet.h"

namespace perfpact::packet {

/// Large enough for an IPv6 address.
using Wide = unsigned __int128;

/// Where a field stands.
struct FieldPlace {
  std::size_t bit = 0;  // from the start of the packet, the most significant bit of a byte first
  unsigned width = 0;   // at most 128
};

class Template {
 public:
  /// As build(), with the same diagnostics. A field that is to change must be given, with any value.
  [[nodiscard]] static Result<Template> create(std::span<const HeaderValue> headers,
                                               std::span<const std::uint8_t> payload,
                                               std::span<const HeaderLayout> program_headers,
                                               Diagnostics& diagnostics);
  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  /// The place of a field of the header with this number; the header has the field, by any of its names, and
  /// it is at most 128 bits wide.
  [[nodiscard]] FieldPlace place(std::size_t header, std::string_view field) const;
  /// The low bits of the value.
  void set(const FieldPlace& place, Wide value);
  /// The packet with all checksums that were not given; stays until the next call.
  [[nodiscard]] std::span<const std::uint8_t> bytes();

 private:
  struct State;
  explicit Template(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace perfpact::packet
