// The case study of the paper, end to end, against its closed form as exact fractions; then seeded variants
// of it with other entry counts, key widths, probabilities, constants, names, positions of the matching entry
// and orders of the tables.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "cli/phases.h"

namespace perfpact::cli {
namespace {

namespace fs = std::filesystem;

struct Run {
  SourceManager sources;
  Diagnostics diagnostics{sources};
  std::unique_ptr<Priced> priced;
};

std::unique_ptr<Run> predict(const std::string& program, const std::string& tables,
                             const std::string& workload, const std::vector<std::string>& models) {
  auto run = std::make_unique<Run>();
  Options options;
  options.program = program;
  options.tables = {tables};
  options.workload = workload;
  options.cost_models = models;
  if (auto loaded = load(options, run->diagnostics))
    if (auto priced = price(std::move(*loaded), options, run->diagnostics)) run->priced = std::move(*priced);
  return run;
}

Rational fraction(const std::string& text) {
  return *parse_rational(text);
}

// A table as the closed form sees it.
struct LookedUp {
  Rational visited;
  Rational key_bits;
};

struct Scenario {
  Rational base;
  Rational lookup;
};

/// Cost of a packet by Eq. 9 (per size) or Eq. 8 (per entry), over a test table of 100,000 entries of 48
/// bits.
Rational closed_form(const Scenario& s, const std::vector<LookedUp>& tables, bool per_size) {
  Rational cost = s.base;
  for (const LookedUp& t : tables)
    cost += per_size ? Rational(t.visited * t.key_bits * (s.lookup - s.base) / (100000 * 48))
                     : Rational(t.visited * (s.lookup - s.base) / 100000);
  return cost;
}

void expect_estimators(const cost::Prediction& prediction, const std::vector<Rational>& probabilities,
                       const std::vector<std::vector<Rational>>& costs_of_packets) {
  const auto scenarios = prediction.model->scenarios().size();
  for (std::size_t s = 0; s < scenarios; ++s) {
    Rational mean = 0;
    Rational min = costs_of_packets[0][s];
    Rational max = min;
    for (std::size_t p = 0; p < probabilities.size(); ++p) {
      mean += probabilities[p] * costs_of_packets[p][s];
      min = std::min(min, costs_of_packets[p][s]);
      max = std::max(max, costs_of_packets[p][s]);
    }
    EXPECT_EQ(prediction.estimators.min[s], min);
    EXPECT_EQ(prediction.estimators.mean[s], Interval(mean));
    EXPECT_EQ(prediction.estimators.max[s], max);
  }
}

TEST(CaseStudy, ExampleEqualsTheClosedForm) {
  const std::string directory = PERFPACT_SOURCE_DIR "/examples/l3-routing/";
  auto run = predict(directory + "l3-routing.p4", directory + "tables.yaml", directory + "workload.yaml",
                     {directory + "cost-per-size.yaml", directory + "cost-per-entry.yaml"});
  ASSERT_NE(run->priced, nullptr) << run->diagnostics.render();
  const std::vector<Scenario> scenarios = {{fraction("0.114"), fraction("2.031")},
                                           {fraction("0.309394"), fraction("4.810818")},
                                           {fraction("0.438"), fraction("6.13")}};
  const std::vector<LookedUp> hit = {{10000, 9}, {20000, 16}, {1, 44}, {20000, 16}};
  std::vector<LookedUp> miss = hit;
  miss.push_back({50000, 44});
  for (bool per_size : {true, false}) {
    std::vector<std::vector<Rational>> costs(3);
    for (const Scenario& s : scenarios) {
      costs[0].push_back(s.base);
      costs[1].push_back(closed_form(s, hit, per_size));
      costs[2].push_back(closed_form(s, miss, per_size));
    }
    const cost::Prediction& prediction = run->priced->predictions[per_size ? 0 : 1];
    expect_estimators(prediction, {fraction("33/100"), fraction("33/100"), fraction("34/100")}, costs);
  }
  // The figures of the paper's appendix, as they are printed.
  const auto printed = [&](std::size_t model) {
    const cost::Estimators& e = run->priced->predictions[model].estimators;
    return std::vector<std::string>{to_decimal(e.min[0].low), to_decimal(e.mean[0].low),
                                    to_decimal(e.mean[1].low), to_decimal(e.mean[2].low),
                                    to_decimal(e.max[2].low)};
  };
  EXPECT_EQ(printed(0), (std::vector<std::string>{"0.114", "0.608078586075", "1.469569902579",
                                                  "1.905029375033", "3.912543843333"}));
  EXPECT_EQ(printed(1), (std::vector<std::string>{"0.114", "1.0820978439", "2.582643279541", "3.3124981364",
                                                  "6.13005692"}));
}

// ---- variants ----

/// One random variant: a program with its inputs, and what the closed form needs to know of it.
class Variant {
 public:
  explicit Variant(unsigned seed) : random_(seed) {
    make_tables();
    make_scenarios();
    make_probabilities();
  }

  [[nodiscard]] std::string program() const {
    std::string text =
        "#include <core.p4>\n#include <v1model.p4>\n"
        "header ethernet_t { bit<48> dst; bit<48> src; bit<16> type; }\n";
    text += fmt::format("header probe_t {{ bit<{}> address; bit<{}> rest; }}\n", address_bits_,
                        256 - address_bits_);
    text += "struct headers_t { ethernet_t ethernet; probe_t probe; }\nstruct metadata_t {\n";
    for (const Table& t : tables_) text += fmt::format("  bit<{}> {}_key;\n", t.meta_bits, t.name);
    text +=
        "}\nparser P(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t "
        "sm) {\n"
        "  state start {\n    packet.extract(hdr.ethernet);\n"
        "    transition select(hdr.ethernet.type) { 0x0800: probe; default: accept; }\n  }\n"
        "  state probe { packet.extract(hdr.probe); transition accept; }\n}\n"
        "control C(inout headers_t hdr, inout metadata_t meta) { apply { } }\n"
        "control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {\n"
        "  action found(bit<9> port) { sm.egress_spec = port; }\n  action nothing() { }\n";
    for (const Table& t : tables_) {
      text += fmt::format("  table {} {{\n    key = {{ meta.{}_key: ternary;", t.name, t.name);
      if (t.with_address) text += " hdr.probe.address: ternary;";
      text += " }\n    actions = { found; nothing; }\n    default_action = nothing();\n  }\n";
    }
    text += "  apply {\n    if (hdr.probe.isValid()) {\n";
    for (std::size_t i : order_) {
      if (i == kFib)
        text += fmt::format("      if (!{}.apply().hit) {{ {}.apply(); }}\n", tables_[kFib].name,
                            tables_[kLpm].name);
      else
        text += fmt::format("      {}.apply();\n", tables_[i].name);
    }
    text +=
        "    }\n    sm.egress_spec = 1;\n  }\n}\n"
        "control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { "
        "} }\n"
        "control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }\n"
        "V1Switch(P(), C(), ingress(), egress(), C(), D()) main;\n";
    return text;
  }

  [[nodiscard]] std::string tables() const {
    std::string text = "schema: perfpact.tables/1\ntables:\n";
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const Table& t = tables_[i];
      text += fmt::format("  {}:\n", t.name);
      if (i != kFib) {
        text += fmt::format("    generate: {{entries: {}, seed: {}, action: found(2), matching: none}}\n",
                            t.entries, i);
        continue;
      }
      // The entry that matches stands at a chosen rank: those before it have larger priorities.
      text += "    entries:\n";
      for (unsigned e = 1; e <= t.entries; ++e) {
        const unsigned address = e == hit_rank_ ? 5 : 100 + e;
        text += fmt::format(
            "      - {{match: {{meta.{}_key: 0, hdr.probe.address: {}}}, action: found(3), priority: {}}}\n",
            t.name, address, t.entries - e + 1);
      }
    }
    return text;
  }

  [[nodiscard]] std::string workload() const {
    return fmt::format(
        "schema: perfpact.workload/1\npackets:\n"
        "  - {{name: other, probability: {}, headers: [ethernet: {{type: 0x1234}}], payload: 50}}\n"
        "  - {{name: hit, probability: {}, headers: [ethernet: {{type: 0x0800}}, probe_t: {{address: 5}}]}}\n"
        "  - {{name: miss, probability: {}, headers: [ethernet: {{type: 0x0800}}, probe_t: {{address: "
        "6}}]}}\n",
        to_fraction(probabilities_[0]), to_fraction(probabilities_[1]), to_fraction(probabilities_[2]));
  }

  [[nodiscard]] std::string cost_model(bool per_size) const {
    const auto constants = [&](auto member) {
      return fmt::format("{{best: {}, average: {}, worst: {}}}", to_fraction(scenarios_[0].*member),
                         to_fraction(scenarios_[1].*member), to_fraction(scenarios_[2].*member));
    };
    return fmt::format(
        "schema: perfpact.cost-model/1\nmetric: latency\nunit: ms\nscenarios: [best, average, worst]\n"
        "constants:\n  base: {}\n  lookup: {}\ncosts:\n  - {{event: start, cost: base}}\n"
        "  - {{event: table.apply, kind: ternary, cost: visited * {} (lookup - base) / {}}}\nothers: 0\n",
        constants(&Scenario::base), constants(&Scenario::lookup), per_size ? "key_bits *" : "",
        per_size ? "(100000 * 48)" : "100000");
  }

  [[nodiscard]] const std::vector<Rational>& probabilities() const { return probabilities_; }

  [[nodiscard]] std::vector<std::vector<Rational>> costs(bool per_size) const {
    std::vector<LookedUp> hit;
    std::vector<LookedUp> miss;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const LookedUp whole{tables_[i].entries, key_bits(i)};
      if (i != kLpm) hit.push_back(i == kFib ? LookedUp{hit_rank_, key_bits(i)} : whole);
      miss.push_back(whole);
    }
    std::vector<std::vector<Rational>> result(3);
    for (const Scenario& s : scenarios_) {
      result[0].push_back(s.base);
      result[1].push_back(closed_form(s, hit, per_size));
      result[2].push_back(closed_form(s, miss, per_size));
    }
    return result;
  }

 private:
  struct Table {
    std::string name;
    unsigned meta_bits = 0;
    bool with_address = false;
    unsigned entries = 0;
  };
  static constexpr std::size_t kFib = 2;
  static constexpr std::size_t kLpm = 3;

  unsigned number(unsigned low, unsigned high) {
    return low + static_cast<unsigned>(random_() % (high - low + 1));
  }

  void make_tables() {
    address_bits_ = number(16, 128);
    for (std::size_t i = 0; i < 5; ++i) {
      Table t;
      t.name =
          fmt::format("{}_{}", std::vector<std::string>{"fib", "x", "Acl", "table_of", "n"}[number(0, 4)], i);
      t.meta_bits = number(10, 48);
      t.with_address = i == kFib || i == kLpm;
      t.entries = i == kFib ? number(1, 20) : number(0, 60);
      tables_.push_back(t);
    }
    hit_rank_ = number(1, tables_[kFib].entries);
    order_ = {0, 1, kFib, 4};
    std::shuffle(order_.begin(), order_.end(), random_);
  }

  void make_scenarios() {
    for (int s = 0; s < 3; ++s) {
      Rational base(number(1, 1000), number(1, 997));
      scenarios_.push_back({base, base + Rational(number(0, 5000), number(1, 89))});
    }
  }

  void make_probabilities() {
    const unsigned a = number(1, 50);
    const unsigned b = number(1, 50);
    const unsigned c = number(1, 50);
    for (unsigned x : {a, b, c}) probabilities_.push_back(Rational(x, a + b + c));
  }

  [[nodiscard]] Rational key_bits(std::size_t i) const {
    return tables_[i].meta_bits + (tables_[i].with_address ? address_bits_ : 0);
  }

  std::mt19937 random_;
  unsigned address_bits_ = 0;
  std::vector<Table> tables_;
  unsigned hit_rank_ = 1;
  std::vector<std::size_t> order_;
  std::vector<Scenario> scenarios_;
  std::vector<Rational> probabilities_;
};

TEST(CaseStudy, VariantsEqualTheClosedForm) {
  const fs::path directory = fs::temp_directory_path() / fmt::format("perfpact-variants-{}", ::getpid());
  fs::create_directories(directory);
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(directory / name) << text;
    return (directory / name).string();
  };
  for (unsigned seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE(seed);
    const Variant variant(seed);
    auto run = predict(
        write("v.p4", variant.program()), write("tables.yaml", variant.tables()),
        write("workload.yaml", variant.workload()),
        {write("size.yaml", variant.cost_model(true)), write("entry.yaml", variant.cost_model(false))});
    ASSERT_NE(run->priced, nullptr) << run->diagnostics.render() << variant.program();
    for (bool per_size : {true, false})
      expect_estimators(run->priced->predictions[per_size ? 0 : 1], variant.probabilities(),
                        variant.costs(per_size));
    if (HasFailure()) FAIL() << variant.program() << variant.tables() << variant.workload();
  }
  fs::remove_all(directory);
}

}  // namespace
}  // namespace perfpact::cli
