// Tables of routes, and addresses by the length of their longest match. Tested by
// tests/traffic/routes_test.cpp.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/yaml.h"
#include "traffic/random.h"

namespace perfpact::traffic {

struct Route {
  std::uint32_t prefix = 0;
  unsigned length = 0;
  std::uint32_t port = 0;
  auto operator<=>(const Route&) const = default;
};

/// All different, in the order of the file or as they were made.
using Routes = std::vector<Route>;
using RoutesByName = std::map<std::string, std::shared_ptr<const Routes>, std::less<>>;

/// `{file: FILE}` (relative to `folder`; a line `A.B.C.D/LENGTH PORT` for each route, `#` opens a comment),
/// or a list of groups to make, `{count: N, lengths: A..B, within: PREFIX, ports: A..B, scattered: true}`.
[[nodiscard]] Result<Routes> read_routes(const Yaml& yaml, const std::string& folder, std::uint64_t seed,
                                         Diagnostics& diagnostics);

/// The lines of a file of routes.
[[nodiscard]] std::string to_text(const Routes& routes);

/// The addresses whose longest match among routes has a length in some range.
class RoutedAddresses {
 public:
  /// Nothing when there are none.
  [[nodiscard]] static std::optional<RoutedAddresses> find(const Routes& routes, unsigned shortest,
                                                           unsigned longest);
  /// First each such route is as likely as any other, then each address that it is the longest match of.
  [[nodiscard]] std::uint32_t at(std::uint64_t random) const;
  /// How many routes there are to choose from.
  [[nodiscard]] std::size_t routes() const { return by_route_.size(); }

 private:
  struct Interval {
    std::uint64_t first;
    std::uint64_t before;  // addresses of the route in its earlier intervals
  };
  struct OfRoute {
    std::vector<Interval> intervals;
    std::uint64_t addresses = 0;
  };
  std::vector<OfRoute> by_route_;
};

}  // namespace perfpact::traffic
