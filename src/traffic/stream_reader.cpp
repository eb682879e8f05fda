#include "traffic/stream_reader.h"

#include <algorithm>

#include "base/spelling.h"
#include "packet/packet.h"
#include "traffic/diagnostics.h"

namespace perfpact::traffic {
namespace {

constexpr std::uint64_t kLargestPort = 65534;
constexpr std::uint64_t kLongestPayload = 65535;
constexpr double kLargestExponent = 10;
constexpr std::uint64_t kMostInMemory = std::uint64_t{1} << 26;  // flows that a draw keeps something for

class StreamReader {
 public:
  StreamReader(YamlMap& map, const StreamContext& context, Diagnostics& diagnostics)
      : map_(map), context_(context), diagnostics_(diagnostics) {}

  Result<Stream> read() {
    const std::size_t errors_before = diagnostics_.error_count();
    std::uint64_t port = 0;
    if (const auto given = map_.optional("port"))
      port = given->as_u64("port", kLargestPort, diagnostics_).value_or(0);
    if (const auto flows = map_.optional("flows")) read_sources(*flows);
    const auto payload = map_.optional("payload");
    const auto headers = map_.require("headers");
    if (!headers) return std::unexpected(headers.error());
    read_headers(*headers);
    const packet::Bytes bytes = payload ? read_payload(*payload) : packet::Bytes{};
    if (diagnostics_.error_count() != errors_before) return std::unexpected(diagnostics_.already_reported());
    auto made = packet::Template::create(headers_, bytes, {}, diagnostics_);
    if (!made) return std::unexpected(made.error());
    Stream stream{1, static_cast<std::uint32_t>(port), std::move(sources_), {}, std::move(*made)};
    for (Varying& varying : varying_) place(varying, stream);
    if (diagnostics_.error_count() != errors_before) return std::unexpected(diagnostics_.already_reported());
    return stream;
  }

 private:
  struct Varying {
    std::size_t header;
    std::string field;
    Span span;
    Stream::Field to;
  };

  // --- Flows

  void read_sources(const Yaml& yaml) {
    if (!yaml.is_map())
      diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), "flows",
                          "a mapping from names to what is drawn", yaml.describe());
    for (const auto& [name, inner] : yaml.entries()) read_source(name, inner);
  }

  void read_source(const Yaml& name, const Yaml& yaml) {
    YamlMap map(yaml, diagnostics_, fmt::format("the flows '{}' of a stream", name.text()));
    if (!map.is_valid()) return;
    const auto of = map.optional("of");
    const std::string set = of ? of->text() : name.text();
    const auto found = context_.flows.find(set);
    Stream::Source source{name.text(), nullptr, {}};
    if (found == context_.flows.end()) {
      std::vector<std::string> names;
      for (const auto& [known, flows] : context_.flows) names.push_back(known);
      diagnostics_.report(diag::kUnknownFlows, of ? of->span() : name.span(), set, did_you_mean(set, names));
    } else {
      source.flows = &found->second;
    }
    if (const auto order = map.optional("order")) read_order(*order, source.options);
    if (const auto churn = map.optional("churn")) read_churn(*churn, source.options);
    read_window(map, source);
    map.finish();
    sources_.push_back(std::move(source));
  }

  void read_order(const Yaml& yaml, DrawOptions& options) {
    if (yaml.is_map()) {
      YamlMap map(yaml, diagnostics_, "an order");
      const auto zipf = map.require("zipf");
      if (!map.finish() || !zipf) return;
      const auto exponent = zipf->as_rational("zipf", diagnostics_);
      if (!exponent) return;
      options.order = Order::Zipf;
      options.exponent = to_double(*exponent);
      if (options.exponent < 0 || options.exponent > kLargestExponent)
        diagnostics_.report(diag::kZipf, zipf->span(), zipf->text());
      return;
    }
    const auto text = yaml.as_string("order", diagnostics_);
    if (!text || *text == "sequential") return;
    if (*text == "uniform")
      options.order = Order::Uniform;
    else
      diagnostics_.report(diag::kBadOrder, yaml.span(), *text,
                          did_you_mean(*text, {"sequential", "uniform", "zipf"}));
  }

  void read_churn(const Yaml& yaml, DrawOptions& options) {
    const auto share = yaml.as_rational("churn", diagnostics_);
    if (!share) return;
    constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
    if (*share < 0 || *share > 1 || denominator(*share) > kMost) {
      diagnostics_.report(diag::kChurn, yaml.span(), yaml.text());
      return;
    }
    options.churn_numerator = numerator(*share).convert_to<std::uint32_t>();
    options.churn_denominator = denominator(*share).convert_to<std::uint32_t>();
  }

  // `first` and `count`: all flows of the set that remain, where they are not given.
  void read_window(YamlMap& map, Stream::Source& source) {
    const auto first = map.optional("first");
    const auto count = map.optional("count");
    if (source.flows == nullptr) return;
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    const std::uint64_t all = source.flows->count();
    DrawOptions& options = source.options;
    options.first = first ? first->as_u64("first", most, diagnostics_).value_or(0) : 0;
    options.count =
        count ? count->as_u64("count", most, diagnostics_).value_or(1) : all - std::min(options.first, all);
    const bool keeps = options.order == Order::Zipf || options.churn_numerator > 0;
    if (keeps && options.count > kMostInMemory)
      diagnostics_.report(perfpact::diag::kYamlExpected, map.yaml().span(),
                          "count, with churn or by Zipf's law,", fmt::format("at most {}", kMostInMemory),
                          options.count);
    const std::uint64_t new_flows = options.new_flows(context_.packets);
    const std::uint64_t end = options.first + options.count + new_flows;
    if (options.count == 0 || end > all)
      diagnostics_.report(
          diag::kFlowWindow, map.yaml().span(), options.first, end == 0 ? end : end - 1, source.flows->name(),
          all,
          new_flows > 0 ? fmt::format("; {} packets bring {} new ones", context_.packets, new_flows) : "");
  }

  // --- Packets

  void read_headers(const Yaml& yaml) {
    if (!yaml.is_list() || yaml.items().empty()) {
      diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), "headers", "a list of headers",
                          yaml.describe());
      return;
    }
    for (const Yaml& item : yaml.items()) read_header(item);
    if (!headers_.empty() && headers_.front().name != "ethernet")
      diagnostics_.report(diag::kNotEthernet, headers_.front().span, headers_.front().name);
  }

  void read_header(const Yaml& yaml) {
    if (yaml.is_scalar()) {
      headers_.push_back({yaml.text(), {}, yaml.span()});
      return;
    }
    const auto entries = yaml.entries();
    if (entries.size() != 1) {
      diagnostics_.report(
          diag::kHeaderForm, yaml.span(),
          yaml.is_map() ? fmt::format("a mapping of {} keys", entries.size()) : yaml.describe());
      return;
    }
    const auto& [name, fields] = entries.front();
    packet::HeaderValue header{name.text(), {}, name.span()};
    if (!fields.is_map() && !fields.is_null())
      diagnostics_.report(perfpact::diag::kYamlExpected, fields.span(),
                          fmt::format("header '{}'", header.name), "a mapping of fields", fields.describe());
    for (const auto& [field, value] : fields.entries())
      header.fields.push_back({field.text(), read_field(field, value), field.span(), value.span()});
    headers_.push_back(std::move(header));
  }

  // The text of a constant; "0" for what will be filled in.
  std::string read_field(const Yaml& field, const Yaml& yaml) {
    if (yaml.is_scalar() && packet::parse_value(yaml.text())) return yaml.text();
    Varying varying{headers_.size(), field.text(), yaml.span(), {}};
    if (yaml.is_scalar() && yaml.text().starts_with('$')) {
      if (!read_reference(yaml, varying.to)) return "0";
    } else {
      const auto value = read_value(yaml, context_.routes, diagnostics_);
      if (!value) return "0";
      varying.to.own = *value;
    }
    varying_.push_back(std::move(varying));
    return "0";
  }

  // $NAME.VALUE
  bool read_reference(const Yaml& yaml, Stream::Field& field) {
    const std::string text = yaml.text();
    const auto dot = text.find('.');
    const std::string name = text.substr(1, dot - 1);
    const auto source = std::ranges::find(sources_, name, &Stream::Source::name);
    if (dot == std::string::npos || source == sources_.end()) {
      std::vector<std::string> names;
      names.reserve(sources_.size());
      for (const Stream::Source& known : sources_) names.push_back(known.name);
      diagnostics_.report(diag::kBadReference, yaml.span(), text, did_you_mean(name, names));
      return false;
    }
    if (source->flows == nullptr) return false;
    const std::string value = text.substr(dot + 1);
    const NamedValues& values = source->flows->values();
    const auto found = std::ranges::find(values, value, &NamedValues::value_type::first);
    if (found == values.end()) {
      std::vector<std::string> names;
      for (const auto& [known, inner] : values) names.push_back(known);
      diagnostics_.report(diag::kUnknownValue, yaml.span(), source->flows->name(), value,
                          did_you_mean(value, names));
      return false;
    }
    field.source = static_cast<std::size_t>(source - sources_.begin());
    field.value = static_cast<std::size_t>(found - values.begin());
    return true;
  }

  packet::Bytes read_payload(const Yaml& yaml) {
    if (!yaml.is_map())
      return packet::Bytes(yaml.as_u64("payload", kLongestPayload, diagnostics_).value_or(0));
    YamlMap map(yaml, diagnostics_, "payload");
    const auto hex = map.require_string("hex");
    if (!map.finish() || !hex) return {};
    return packet::parse_hex(*hex, map.optional("hex")->span(), diagnostics_).value_or(packet::Bytes{});
  }

  void place(Varying& varying, Stream& stream) {
    varying.to.place = stream.packet.place(varying.header, varying.field);
    const unsigned width = varying.to.place.width;
    const bool is_own = varying.to.own.has_value();
    const FlowSet* flows = is_own ? nullptr : stream.sources[varying.to.source].flows;
    const Value& value = is_own ? *varying.to.own : flows->values()[varying.to.value].second;
    const Wide largest =
        value.largest(std::max<std::uint64_t>(is_own ? context_.packets : flows->count(), 1));
    if (value.natural_width && *value.natural_width != width)
      diagnostics_.report(diag::kAddressWidth, varying.span, varying.field, width, *value.natural_width);
    else if (bits_of(largest) > width)
      diagnostics_.report(diag::kFieldWidth, varying.span, varying.field, to_text(largest), width);
    stream.fields.push_back(std::move(varying.to));
  }

  YamlMap& map_;
  const StreamContext& context_;
  Diagnostics& diagnostics_;
  std::vector<Stream::Source> sources_;
  std::vector<packet::HeaderValue> headers_;
  std::vector<Varying> varying_;
};

}  // namespace

Result<Stream> read_stream(YamlMap& map, const StreamContext& context, Diagnostics& diagnostics) {
  return StreamReader(map, context, diagnostics).read();
}

}  // namespace perfpact::traffic
