// What the fields of packets can be: a constant, or one of many values. Tested by
// tests/traffic/value_test.cpp.
//
//   10.0.0.1                     constant: a number, a MAC, IPv4 or IPv6 address
//   10.0.0.0/8                   any address with this prefix
//   1024..65535                  any of these, both ends included; addresses too
//   0:0:0:0:0:0 &&& 1:0:0:0:0:0  any value whose bits under the mask are these
//   {counter: 1024, step: 1}     1024 + the number of the flow or packet
//   {one_of: [VALUE, ...]}       any of these
//   {routes: NAME, lengths: A..B} an address whose longest match among these routes has such a length
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/yaml.h"
#include "traffic/routes.h"

namespace perfpact::traffic {

/// `first` to `last`, both included.
struct RangeValue {
  Wide first = 0;
  Wide last = 0;
};
/// Every value that has the bits of `base` outside `open`.
struct MaskedValue {
  Wide base = 0;
  Wide open = 0;
};
struct CounterValue {
  Wide base = 0;
  std::uint64_t step = 1;
};
struct Choice {
  std::vector<Wide> values;
};
using RoutedValue = std::shared_ptr<const RoutedAddresses>;

struct Value {
  std::variant<RangeValue, MaskedValue, CounterValue, Choice, RoutedValue> kind;
  std::optional<unsigned> natural_width;  // of addresses, bits
  Span span;

  /// How many values there are to choose from: the numbers that `at` takes as index. A counter and routed
  /// addresses are no matter of choice: 1.
  [[nodiscard]] Wide choices() const;
  /// The value with an index, of the flow or packet with a number; `random` chooses routed addresses.
  [[nodiscard]] Wide at(Wide index, std::uint64_t number, std::uint64_t random) const;
  /// The largest one for numbers below `count`, which is at least 1.
  [[nodiscard]] Wide largest(std::uint64_t count) const;
};

[[nodiscard]] Result<Value> read_value(const Yaml& yaml, const RoutesByName& routes,
                                       Diagnostics& diagnostics);

/// `7` or `1..7` within limits; `what` is what it is in messages: "length of a prefix".
[[nodiscard]] Result<std::pair<std::uint64_t, std::uint64_t>> read_number_range(const Yaml& yaml,
                                                                                std::string_view what,
                                                                                std::uint64_t least,
                                                                                std::uint64_t most,
                                                                                Diagnostics& diagnostics);
/// `true` or `false`.
[[nodiscard]] Result<bool> read_flag(const Yaml& yaml, std::string_view what, Diagnostics& diagnostics);
/// A prefix of IPv4 addresses: A.B.C.D/LENGTH.
[[nodiscard]] Result<Route> read_prefix(const Yaml& yaml, Diagnostics& diagnostics);

[[nodiscard]] unsigned bits_of(Wide value);
[[nodiscard]] std::string to_text(Wide value);

}  // namespace perfpact::traffic
