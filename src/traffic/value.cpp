#include "traffic/value.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/spelling.h"
#include "packet/packet.h"
#include "traffic/diagnostics.h"

namespace perfpact::traffic {
namespace {

constexpr unsigned kWidest = 128;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Wide low_ones(unsigned bits) {
  return bits >= kWidest ? ~Wide{0} : (Wide{1} << bits) - 1;
}

Wide to_wide(const Integer& value) {
  constexpr auto kLow = std::numeric_limits<std::uint64_t>::max();
  return Wide{static_cast<std::uint64_t>((value >> 64) & kLow)} << 64 |
         static_cast<std::uint64_t>(value & kLow);
}

unsigned ones(Wide value) {
  return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(value >> 64)) +
                               std::popcount(static_cast<std::uint64_t>(value)));
}

// Puts the bits of `index` in the places of the ones of `open`, one run of ones after the other.
Wide deposit(Wide index, Wide open) {
  Wide result = 0;
  for (;;) {
    const Wide lowest = open & (~open + 1);
    const Wide run = open & ~(open + lowest);  // it is carried into the bit above it
    result |= (index * lowest) & run;
    if (run == open) return result;
    index >>= ones(run);
    open ^= run;
  }
}

class ValueReader {
 public:
  ValueReader(const Yaml& yaml, const RoutesByName& routes, Diagnostics& diagnostics)
      : yaml_(yaml), routes_(routes), diagnostics_(diagnostics) {}

  Result<Value> read() {
    if (yaml_.is_map()) return read_mapping();
    const auto text = yaml_.as_string("a value", diagnostics_);
    if (!text) return std::unexpected(text.error());
    return read_text(*text);
  }

 private:
  struct Number {
    Wide value = 0;
    std::optional<unsigned> natural_width;
  };

  Value make(decltype(Value::kind) kind, std::optional<unsigned> natural_width) const {
    return {std::move(kind), natural_width, yaml_.span()};
  }

  std::optional<Number> number(std::string_view text) const {
    const auto parsed = packet::parse_value(trim(text));
    if (!parsed || parsed->value > all_ones(kWidest)) return std::nullopt;
    return Number{to_wide(parsed->value), parsed->natural_width};
  }

  template <class... Arguments>
  std::unexpected<Reported> fault(const DiagnosticKind& kind, const Arguments&... arguments) const {
    return std::unexpected(diagnostics_.report(kind, yaml_.span(), arguments...));
  }

  Result<Value> read_text(const std::string& text) const {
    if (const auto at = text.find("&&&"); at != std::string::npos)
      return read_masked(text, text.substr(0, at), text.substr(at + 3));
    if (const auto at = text.find(".."); at != std::string::npos)
      return read_range(text, text.substr(0, at), text.substr(at + 2));
    const auto constant = number(text);
    if (constant) return make(RangeValue{constant->value, constant->value}, constant->natural_width);
    if (const auto at = text.find('/'); at != std::string::npos)
      return read_prefix(text, text.substr(0, at), text.substr(at + 1));
    return fault(diag::kBadValue, text);
  }

  Result<Value> read_masked(const std::string& text, const std::string& left,
                            const std::string& right) const {
    const auto base = number(left);
    const auto mask = number(right);
    if (!base || !mask) return fault(diag::kBadValue, text);
    const auto width = base->natural_width ? base->natural_width : mask->natural_width;
    if (mask->natural_width && mask->natural_width != width) return fault(diag::kWidths, text);
    const unsigned bits = width.value_or(std::max(bits_of(mask->value), bits_of(base->value)));
    if ((base->value & ~mask->value) != 0) return fault(diag::kBitsOutside, text, "mask");
    return make(MaskedValue{base->value, low_ones(bits) & ~mask->value}, width);
  }

  Result<Value> read_range(const std::string& text, const std::string& left, const std::string& right) const {
    const auto first = number(left);
    const auto last = number(right);
    if (!first || !last) return fault(diag::kBadValue, text);
    if (first->natural_width != last->natural_width) return fault(diag::kWidths, text);
    if (first->value > last->value) return fault(diag::kEmptyRange, text);
    return make(RangeValue{first->value, last->value}, first->natural_width);
  }

  Result<Value> read_prefix(const std::string& text, const std::string& left,
                            const std::string& right) const {
    const auto address = number(left);
    if (!address || !address->natural_width) return fault(diag::kBadValue, text);
    const auto length = number(right);
    const unsigned width = *address->natural_width;
    if (!length || length->natural_width || length->value > width)
      return fault(diag::kPrefixLength, text, width);
    const Wide open = low_ones(width - static_cast<unsigned>(length->value));
    if ((address->value & open) != 0) return fault(diag::kBitsOutside, text, "length");
    return make(MaskedValue{address->value, open}, width);
  }

  Result<Value> read_mapping() const {
    YamlMap map(yaml_, diagnostics_, "a value");
    const auto counter = map.optional("counter");
    const auto one_of = map.optional("one_of");
    const auto routes = map.optional("routes");
    if (int{counter.has_value()} + int{one_of.has_value()} + int{routes.has_value()} != 1) {
      std::string hint;
      for (const auto& [key, inner] : yaml_.entries())
        if (hint.empty() && key.is_scalar()) hint = did_you_mean(key.text(), {"counter", "one_of", "routes"});
      return fault(diag::kValueForm, hint);
    }
    Result<Value> value = counter  ? read_counter(*counter, map)
                          : one_of ? read_choice(*one_of)
                                   : read_routed(*routes, map);
    if (!map.finish()) return std::unexpected(diagnostics_.already_reported());
    return value;
  }

  Result<Value> read_counter(const Yaml& base, YamlMap& map) const {
    const auto text = base.as_string("counter", diagnostics_);
    if (!text) return std::unexpected(text.error());
    const auto first = number(*text);
    if (!first) return std::unexpected(diagnostics_.report(diag::kBadValue, base.span(), *text));
    std::uint64_t step = 1;
    if (const auto given = map.optional("step")) {
      const auto read = given->as_u64("step", std::numeric_limits<std::uint32_t>::max(), diagnostics_);
      if (!read) return std::unexpected(read.error());
      step = *read;
    }
    return make(CounterValue{first->value, step}, first->natural_width);
  }

  Result<Value> read_choice(const Yaml& list) const {
    if (list.items().empty())
      return std::unexpected(diagnostics_.report(diag::kNothingToChoose, list.span()));
    Choice choice;
    std::optional<std::optional<unsigned>> width;
    for (const Yaml& item : list.items()) {
      const auto text = item.as_string("an item of one_of", diagnostics_);
      if (!text) return std::unexpected(text.error());
      const auto one = number(*text);
      if (!one) return std::unexpected(diagnostics_.report(diag::kBadValue, item.span(), *text));
      if (width && *width != one->natural_width)
        return std::unexpected(diagnostics_.report(diag::kWidths, item.span(), "one_of"));
      width = one->natural_width;
      if (std::ranges::find(choice.values, one->value) == choice.values.end())
        choice.values.push_back(one->value);
    }
    return make(std::move(choice), *width);
  }

  Result<Value> read_routed(const Yaml& name, YamlMap& map) const {
    const auto text = name.as_string("routes", diagnostics_);
    const auto lengths = map.require("lengths");
    if (!text || !lengths) return std::unexpected(diagnostics_.already_reported());
    const auto range = read_number_range(*lengths, "length of a prefix", 0, 32, diagnostics_);
    if (!range) return std::unexpected(range.error());
    const auto routes = routes_.find(*text);
    if (routes == routes_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, table] : routes_) names.push_back(known);
      return std::unexpected(
          diagnostics_.report(diag::kUnknownRoutes, name.span(), *text, did_you_mean(*text, names)));
    }
    auto found = RoutedAddresses::find(*routes->second, static_cast<unsigned>(range->first),
                                       static_cast<unsigned>(range->second));
    if (!found) return fault(diag::kNoSuchRoute, range->first, range->second, *text);
    return make(std::make_shared<const RoutedAddresses>(std::move(*found)), 32);
  }

  const Yaml& yaml_;
  const RoutesByName& routes_;
  Diagnostics& diagnostics_;
};

}  // namespace

unsigned bits_of(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + static_cast<unsigned>(std::bit_width(high))
                   : static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value)));
}

std::string to_text(Wide value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

// All 2^128 values of an address are taken as one less.
Wide Value::choices() const {
  const auto one_more = [](Wide value) { return value == ~Wide{0} ? value : value + 1; };
  return std::visit(
      Overloaded{[&](const RangeValue& range) { return one_more(range.last - range.first); },
                 [&](const MaskedValue& masked) { return one_more(low_ones(ones(masked.open))); },
                 [](const CounterValue&) { return Wide{1}; },
                 [](const Choice& choice) { return Wide{choice.values.size()}; },
                 [](const RoutedValue&) { return Wide{1}; }},
      kind);
}

Wide Value::at(Wide index, std::uint64_t number, std::uint64_t random) const {
  return std::visit(
      Overloaded{[&](const RangeValue& range) { return range.first + index; },
                 [&](const MaskedValue& masked) { return masked.base | deposit(index, masked.open); },
                 [&](const CounterValue& counter) { return counter.base + Wide{counter.step} * number; },
                 [&](const Choice& choice) { return choice.values[static_cast<std::size_t>(index)]; },
                 [&](const RoutedValue& routed) { return Wide{routed->at(random)}; }},
      kind);
}

Wide Value::largest(std::uint64_t count) const {
  return std::visit(Overloaded{[](const RangeValue& range) { return range.last; },
                               [](const MaskedValue& masked) { return masked.base | masked.open; },
                               [&](const CounterValue& counter) {
                                 const Wide last = counter.base + Wide{counter.step} * (count - 1);
                                 return last < counter.base ? ~Wide{0} : last;  // beyond all fields
                               },
                               [](const Choice& choice) { return std::ranges::max(choice.values); },
                               [](const RoutedValue&) { return low_ones(32); }},
                    kind);
}

Result<Value> read_value(const Yaml& yaml, const RoutesByName& routes, Diagnostics& diagnostics) {
  return ValueReader(yaml, routes, diagnostics).read();
}

Result<std::pair<std::uint64_t, std::uint64_t>> read_number_range(const Yaml& yaml, std::string_view what,
                                                                  std::uint64_t least, std::uint64_t most,
                                                                  Diagnostics& diagnostics) {
  const auto text = yaml.as_string(what, diagnostics);
  if (!text) return std::unexpected(text.error());
  const auto at = text->find("..");
  const auto first = parse_integer(trim(std::string_view(*text).substr(0, at)));
  const auto last =
      at == std::string::npos ? first : parse_integer(trim(std::string_view(*text).substr(at + 2)));
  if (!first || !last || *first < least || *last > most || *first > *last)
    return std::unexpected(diagnostics.report(diag::kNumberRange, yaml.span(), *text, what, least, most));
  return std::pair{first->convert_to<std::uint64_t>(), last->convert_to<std::uint64_t>()};
}

Result<bool> read_flag(const Yaml& yaml, std::string_view what, Diagnostics& diagnostics) {
  if (yaml.is_scalar() && (yaml.text() == "true" || yaml.text() == "false")) return yaml.text() == "true";
  return std::unexpected(
      diagnostics.report(perfpact::diag::kYamlExpected, yaml.span(), what, "true or false", yaml.describe()));
}

Result<Route> read_prefix(const Yaml& yaml, Diagnostics& diagnostics) {
  const auto value = read_value(yaml, {}, diagnostics);
  if (!value) return std::unexpected(value.error());
  const auto* masked = std::get_if<MaskedValue>(&value->kind);
  if (masked == nullptr || value->natural_width != 32U || (masked->open & (masked->open + 1)) != 0)
    return std::unexpected(diagnostics.report(diag::kPrefixLength, yaml.span(), yaml.text(), 32));
  return Route{static_cast<std::uint32_t>(masked->base), 32 - ones(masked->open), 0};
}

}  // namespace perfpact::traffic
