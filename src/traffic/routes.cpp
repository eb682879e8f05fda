#include "traffic/routes.h"

#include <arpa/inet.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/check.h"
#include "traffic/diagnostics.h"
#include "traffic/permutation.h"
#include "traffic/value.h"

namespace perfpact::traffic {
namespace {

constexpr std::uint64_t kMostRoutes = std::uint64_t{1} << 22;
constexpr std::uint64_t kLargestRoutePort = 0xffffffff;
constexpr unsigned kScatteredBits = 24;  // no two scattered routes share these

std::uint32_t mask_of(unsigned length) {
  return length == 0 ? 0 : ~std::uint32_t{0} << (32 - length);
}

// `10.0.0.0/8 3`; nothing if the line is not of this form.
std::optional<Route> parse_route(const std::string& line) {
  std::array<char, INET_ADDRSTRLEN> address{};
  Route route;
  int end = 0;
  if (std::sscanf(line.c_str(), " %15[0-9.]/%2u %10u %n", address.data(), &route.length, &route.port, &end) !=
      3)
    return std::nullopt;
  in_addr parsed{};
  if (static_cast<std::size_t>(end) != line.size() || route.length > 32) return std::nullopt;
  if (inet_pton(AF_INET, address.data(), &parsed) != 1) return std::nullopt;
  route.prefix = ntohl(parsed.s_addr);
  if ((route.prefix & ~mask_of(route.length)) != 0) return std::nullopt;
  return route;
}

Result<Routes> read_file(const Yaml& name, const std::string& folder, Diagnostics& diagnostics) {
  const auto text = name.as_string("file", diagnostics);
  if (!text) return std::unexpected(text.error());
  const std::string path = (std::filesystem::path(folder) / *text).string();
  const auto file = read_source(path, diagnostics);
  if (!file) return std::unexpected(file.error());
  Routes routes;
  std::set<std::pair<std::uint32_t, unsigned>> known;
  std::string_view rest = diagnostics.sources().text(*file);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string line(rest.substr(0, std::min(length, rest.find('#'))));
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto route = parse_route(line);
    if (!route) return std::unexpected(diagnostics.report(diag::kBadRoute, name.span(), number, path, line));
    if (known.emplace(route->prefix, route->length).second) routes.push_back(*route);
  }
  return routes;
}

struct Group {
  std::uint64_t count = 0;
  std::pair<std::uint64_t, std::uint64_t> lengths{1, 32};
  std::pair<std::uint64_t, std::uint64_t> ports{0, 0};
  Route within;
  bool scattered = false;
};

Result<Group> read_group(const Yaml& yaml, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  YamlMap map(yaml, diagnostics, "a group of routes");
  Group group;
  if (const auto count = map.require("count"))
    group.count = count->as_u64("count", kMostRoutes, diagnostics).value_or(0);
  if (const auto within = map.optional("within"))
    if (const auto prefix = read_prefix(*within, diagnostics)) group.within = *prefix;
  if (const auto lengths = map.require("lengths"))
    if (const auto range =
            read_number_range(*lengths, "length of a prefix", group.within.length, 32, diagnostics))
      group.lengths = *range;
  if (const auto ports = map.optional("ports"))
    if (const auto range = read_number_range(*ports, "port", 0, kLargestRoutePort, diagnostics))
      group.ports = *range;
  if (const auto scattered = map.optional("scattered"))
    group.scattered = read_flag(*scattered, "scattered", diagnostics).value_or(false);
  if (!map.finish() || diagnostics.error_count() != errors_before)
    return std::unexpected(diagnostics.already_reported());
  return group;
}

class RouteMaker {
 public:
  explicit RouteMaker(std::uint64_t seed) : seed_(seed), random_(seed) {}

  // False when there are not enough that differ.
  bool make(const Group& group) {
    const std::size_t wanted = routes_.size() + group.count;
    // Scattered ones take a /24 each, in a random order of all of them.
    const unsigned open = kScatteredBits - std::min(group.within.length, kScatteredBits);
    const Permutation places(Wide{1} << open, derive_seed(seed_, ++groups_));
    const std::uint64_t tries = group.scattered ? std::uint64_t{1} << open : 1000 + 20 * group.count;
    for (std::uint64_t i = 0; i < tries && routes_.size() < wanted; ++i) {
      const auto [shortest, longest] = group.lengths;
      Route route{static_cast<std::uint32_t>(random_()),
                  static_cast<unsigned>(shortest + scale(random_(), longest - shortest + 1)),
                  static_cast<std::uint32_t>(group.ports.first +
                                             scale(random_(), group.ports.second - group.ports.first + 1))};
      if (group.scattered)
        route.prefix =
            static_cast<std::uint32_t>(places.at(i)) << (32 - kScatteredBits) | (route.prefix & 0xff);
      route.prefix = (route.prefix & ~mask_of(group.within.length)) | group.within.prefix;
      route.prefix &= mask_of(route.length);
      const bool is_new = known_.emplace(route.prefix, route.length).second;
      if (is_new && (!group.scattered || taken_.insert(route.prefix >> (32 - kScatteredBits)).second))
        routes_.push_back(route);
    }
    return routes_.size() == wanted;
  }

  Routes take() { return std::move(routes_); }
  [[nodiscard]] std::size_t size() const { return routes_.size(); }

 private:
  std::uint64_t seed_;
  Random random_;
  std::uint64_t groups_ = 0;
  Routes routes_;
  std::set<std::pair<std::uint32_t, unsigned>> known_;
  std::set<std::uint32_t> taken_;
};

}  // namespace

Result<Routes> read_routes(const Yaml& yaml, const std::string& folder, std::uint64_t seed,
                           Diagnostics& diagnostics) {
  if (yaml.is_map()) {
    YamlMap map(yaml, diagnostics, "routes");
    const auto file = map.require("file");
    if (!map.finish() || !file) return std::unexpected(diagnostics.already_reported());
    return read_file(*file, folder, diagnostics);
  }
  if (!yaml.is_list())
    return std::unexpected(diagnostics.report(perfpact::diag::kYamlExpected, yaml.span(), "routes",
                                              "a list of groups or a mapping with 'file'", yaml.describe()));
  RouteMaker maker(seed);
  for (const Yaml& item : yaml.items()) {
    const auto group = read_group(item, diagnostics);
    if (!group) return std::unexpected(group.error());
    const std::size_t before = maker.size();
    if (!maker.make(*group))
      return std::unexpected(
          diagnostics.report(diag::kTooManyRoutes, item.span(), group->count, maker.size() - before));
  }
  return maker.take();
}

std::string to_text(const Routes& routes) {
  std::string text;
  for (const Route& route : routes)
    fmt::format_to(std::back_inserter(text), "{}.{}.{}.{}/{} {}\n", route.prefix >> 24,
                   route.prefix >> 16 & 0xff, route.prefix >> 8 & 0xff, route.prefix & 0xff, route.length,
                   route.port);
  return text;
}

// Goes through the starts and ends of all prefixes in the order of addresses; those that are open are a
// stack, the longest on top.
std::optional<RoutedAddresses> RoutedAddresses::find(const Routes& routes, unsigned shortest,
                                                     unsigned longest) {
  Routes sorted = routes;
  std::ranges::sort(sorted);
  RoutedAddresses result;
  std::vector<OfRoute> found(sorted.size());
  std::vector<std::size_t> open;
  std::uint64_t position = 0;
  const auto advance = [&](std::uint64_t to) {
    if (!open.empty() && to > position) {
      OfRoute& route = found[open.back()];
      route.intervals.push_back({position, route.addresses});
      route.addresses += to - position;
    }
    position = std::max(position, to);
  };
  const auto end_of = [&](std::size_t i) {
    return std::uint64_t{sorted[i].prefix} + (std::uint64_t{1} << (32 - sorted[i].length));
  };
  const auto close_until = [&](std::uint64_t address) {
    for (; !open.empty() && end_of(open.back()) <= address; open.pop_back()) advance(end_of(open.back()));
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    close_until(sorted[i].prefix);
    advance(sorted[i].prefix);
    open.push_back(i);
  }
  close_until(std::uint64_t{1} << 32);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i].length >= shortest && sorted[i].length <= longest && found[i].addresses > 0)
      result.by_route_.push_back(std::move(found[i]));
  if (result.by_route_.empty()) return std::nullopt;
  return result;
}

std::uint32_t RoutedAddresses::at(std::uint64_t random) const {
  const OfRoute& route = by_route_[scale(random, by_route_.size())];
  const std::uint64_t which = scale(mix(random), route.addresses);
  const auto interval = std::ranges::upper_bound(route.intervals, which, {}, &Interval::before) - 1;
  return static_cast<std::uint32_t>(interval->first + which - interval->before);
}

}  // namespace perfpact::traffic
