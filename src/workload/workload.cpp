#include "workload/workload.h"

#include <algorithm>
#include <filesystem>

#include "base/spelling.h"
#include "base/yaml.h"
#include "packet/capture.h"
#include "workload/diagnostics.h"

namespace perfpact::workload {
namespace {

constexpr std::uint64_t kLargestPort = 0xffffffff;
constexpr std::uint64_t kLongestPayload = 65535;

// `2`, `1/3 (0.3333333333333)`.
std::string number_text(const Rational& value) {
  const std::string fraction = to_fraction(value);
  return is_integer(value) ? fraction : fmt::format("{} ({})", fraction, to_decimal(value));
}

class WorkloadReader {
 public:
  WorkloadReader(std::string path, std::span<const packet::HeaderLayout> program_headers,
                 Diagnostics& diagnostics)
      : path_(std::move(path)), program_headers_(program_headers), diagnostics_(diagnostics) {}

  Result<Workload> read(const Yaml& root) {
    const std::size_t errors_before = diagnostics_.error_count();
    workload_.file = path_;
    YamlMap map(root, diagnostics_, "workload");
    if (map.is_valid()) {
      map.check_schema("perfpact.workload/1");
      if (const auto state = map.optional("state")) read_state(*state);
      if (const auto packets = map.require("packets")) read_rows(*packets);
      map.finish();
    }
    if (diagnostics_.error_count() != errors_before) return std::unexpected(diagnostics_.already_reported());
    return std::move(workload_);
  }

 private:
  void read_state(const Yaml& state) {
    const auto text = state.as_string("state", diagnostics_);
    if (!text || *text == "zero") return;
    if (*text == "unknown")
      diagnostics_.report(diag::kStateUnknown, state.span());
    else
      diagnostics_.report(diag::kStateValue, state.span(), *text, did_you_mean(*text, {"zero", "unknown"}));
  }

  void read_rows(const Yaml& packets) {
    if (!packets.is_list()) {
      diagnostics_.report(perfpact::diag::kYamlExpected, packets.span(), "packets", "a list",
                          packets.describe());
      return;
    }
    const std::vector<Yaml> items = packets.items();
    if (items.empty()) diagnostics_.report(diag::kNoRows, packets.span());
    const std::size_t errors_before = diagnostics_.error_count();
    for (const Yaml& item : items) read_row(item);
    // A sum over rows of which some could not be read says nothing.
    if (diagnostics_.error_count() == errors_before && !items.empty()) finish_probabilities(packets.span());
  }

  void read_row(const Yaml& yaml) {
    YamlMap map(yaml, diagnostics_, "a row of packets");
    if (!map.is_valid()) return;
    Row row;
    row.span = yaml.span();
    if (const auto name = map.require_string("name")) {
      row.name = *name;
      if (!names_.insert(*name).second)
        diagnostics_.report(diag::kNameTwice, map.optional("name")->span(), *name);
    }
    std::uint64_t port = 0;
    if (const auto value = map.optional("port"))
      port = value->as_u64("port", kLargestPort, diagnostics_).value_or(0);
    read_frequency(map, row);
    read_packets(map, port, row);
    map.finish();
    workload_.rows.push_back(std::move(row));
  }

  // --- Frequencies
  // --------------------------------------------------------------------------------------------

  void read_frequency(YamlMap& map, Row& row) {
    const auto probability = map.optional("probability");
    const auto weight = map.optional("weight");
    if (probability.has_value() == weight.has_value()) {
      diagnostics_.report(diag::kFrequency, row.span, row.name, probability ? "both" : "neither");
      return;
    }
    std::string& first_of_this = weight ? first_weight_ : first_probability_;
    if (first_of_this.empty()) first_of_this = row.name;
    if (!first_weight_.empty() && !first_probability_.empty()) {
      if (!mixed_reported_)
        diagnostics_.report(diag::kMixedWeights, (weight ? *weight : *probability).span(), first_weight_,
                            first_probability_);
      mixed_reported_ = true;
      return;
    }
    if (probability && probability->is_scalar() && probability->text() == "unknown") return;
    const auto value =
        weight ? weight->as_rational("weight", diagnostics_)
               : probability->as_rational("probability (a number, a fraction or 'unknown')", diagnostics_);
    if (!value) return;
    if (weight && *value < 0) diagnostics_.report(diag::kNegativeWeight, weight->span(), number_text(*value));
    if (probability && (*value < 0 || *value > 1))
      diagnostics_.report(diag::kProbabilityRange, probability->span(), number_text(*value));
    row.probability = *value;
  }

  void finish_probabilities(const Span& span) {
    Rational sum = 0;
    bool some_unknown = false;
    for (const Row& row : workload_.rows) {
      if (row.probability) sum += *row.probability;
      some_unknown |= !row.probability;
    }
    if (!first_weight_.empty()) {
      if (sum == 0)
        diagnostics_.report(diag::kZeroWeights, span);
      else
        for (Row& row : workload_.rows) *row.probability /= sum;
      return;
    }
    if (sum > 1 || (sum < 1 && !some_unknown)) {
      const Rational off = sum > 1 ? Rational(sum - 1) : Rational(1 - sum);
      diagnostics_.report(diag::kProbabilitySum, span, number_text(sum), number_text(off),
                          sum > 1 ? "more" : "less");
      return;
    }
    workload_.rest = 1 - sum;
    if (some_unknown && sum == 1) diagnostics_.report(diag::kNothingLeft, span);
  }

  // --- Packets
  // ------------------------------------------------------------------------------------------------

  void read_packets(YamlMap& map, std::uint64_t port, Row& row) {
    const auto headers = map.optional("headers");
    const auto hex = map.optional("hex");
    const auto pcap = map.optional("pcap");
    const auto payload = map.optional("payload");
    const int forms = int{headers.has_value()} + int{hex.has_value()} + int{pcap.has_value()};
    if (forms != 1) {
      diagnostics_.report(diag::kPacketForm, row.span, row.name, forms == 0 ? "none" : "several");
      return;
    }
    if (payload && !headers) diagnostics_.report(diag::kPayloadWithoutHeaders, payload->span());
    if (pcap) return read_capture(*pcap, port, row);
    auto bytes = headers ? read_headers(*headers, payload) : read_hex(*hex, "hex");
    if (bytes) row.packets.push_back({{port, std::move(*bytes)}, 1});
  }

  Result<packet::Bytes> read_hex(const Yaml& yaml, std::string_view what) {
    const auto text = yaml.as_string(what, diagnostics_);
    if (!text) return std::unexpected(text.error());
    return packet::parse_hex(*text, yaml.span(), diagnostics_);
  }

  Result<packet::Bytes> read_payload(const Yaml& yaml) {
    if (!yaml.is_map()) {
      const auto bytes = yaml.as_u64("payload", kLongestPayload, diagnostics_);
      if (!bytes) return std::unexpected(bytes.error());
      return packet::Bytes(*bytes);
    }
    YamlMap map(yaml, diagnostics_, "payload");
    const auto hex = map.require("hex");
    if (!map.finish() || !hex) return std::unexpected(diagnostics_.already_reported());
    return read_hex(*hex, "hex");
  }

  Result<packet::Bytes> read_headers(const Yaml& yaml, const std::optional<Yaml>& payload_yaml) {
    const std::size_t errors_before = diagnostics_.error_count();
    if (!yaml.is_list())
      diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), "headers", "a list", yaml.describe());
    std::vector<packet::HeaderValue> headers;
    for (const Yaml& item : yaml.items()) headers.push_back(read_header(item));
    packet::Bytes payload;
    if (payload_yaml)
      if (auto bytes = read_payload(*payload_yaml)) payload = std::move(*bytes);
    if (diagnostics_.error_count() != errors_before) return std::unexpected(diagnostics_.already_reported());
    return packet::build(headers, payload, program_headers_, diagnostics_);
  }

  packet::HeaderValue read_header(const Yaml& yaml) {
    if (yaml.is_scalar()) return {yaml.text(), {}, yaml.span()};
    const auto entries = yaml.entries();
    if (entries.size() != 1) {
      diagnostics_.report(
          diag::kHeaderForm, yaml.span(),
          yaml.is_map() ? fmt::format("a mapping of {} keys", entries.size()) : yaml.describe());
      return {};
    }
    const auto& [name, fields] = entries.front();
    packet::HeaderValue header{name.text(), {}, name.span()};
    if (!fields.is_map() && !fields.is_null())
      diagnostics_.report(perfpact::diag::kYamlExpected, fields.span(),
                          fmt::format("header '{}'", header.name), "a mapping of fields", fields.describe());
    for (const auto& [field, value] : fields.entries())
      if (const auto text = value.as_string(fmt::format("field '{}'", field.text()), diagnostics_))
        header.fields.push_back({field.text(), *text, field.span(), value.span()});
    return header;
  }

  void read_capture(const Yaml& yaml, std::uint64_t port, Row& row) {
    const auto name = yaml.as_string("pcap", diagnostics_);
    if (!name) return;
    const std::string path = (std::filesystem::path(path_).parent_path() / *name).string();
    auto packets = packet::read_capture(path, yaml.span(), diagnostics_);
    if (!packets) return;
    if (packets->empty()) diagnostics_.report(diag::kEmptyCapture, yaml.span(), path);
    const std::size_t total = packets->size();
    std::map<packet::Bytes, std::size_t> counts;
    std::vector<decltype(counts)::const_iterator> in_order;
    for (packet::CapturedPacket& packet : *packets) {
      const auto [known, is_new] = counts.try_emplace(std::move(packet.bytes), 0);
      if (is_new) in_order.push_back(known);
      ++known->second;
    }
    for (const auto& distinct : in_order)
      row.packets.push_back({{port, distinct->first}, Rational(distinct->second, total)});
  }

  std::string path_;
  std::span<const packet::HeaderLayout> program_headers_;
  Diagnostics& diagnostics_;
  Workload workload_;
  std::set<std::string> names_;
  std::string first_weight_;       // name of the first row with a weight
  std::string first_probability_;  // name of the first row with a probability
  bool mixed_reported_ = false;
};

}  // namespace

Result<Workload> load_workload(const std::string& path, std::span<const packet::HeaderLayout> program_headers,
                               Diagnostics& diagnostics) {
  auto root = load_yaml(path, diagnostics);
  if (!root) return std::unexpected(root.error());
  return WorkloadReader(path, program_headers, diagnostics).read(*root);
}

}  // namespace perfpact::workload
