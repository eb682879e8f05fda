#include "chain/chain_file.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/spelling.h"
#include "base/yaml.h"
#include "chain/diagnostics.h"

namespace perfpact::chain {
namespace {

constexpr std::uint64_t kMostPort = 0xffff;
constexpr std::uint32_t kMostBytes = 0xffff;

bool is_name(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

/// Puts nodes in an order in which edges lead forward, from where packets enter.
class Order {
 public:
  Order(ChainFile& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  void make(std::size_t first, const Span& at) {
    marks_.resize(file_.nodes.size());
    for (std::size_t node = 0; node < file_.nodes.size(); ++node)
      if (marks_[node] == Mark::New) visit(node);
    if (!diagnostics_.has_errors() && std::ranges::find(file_.edges, first, &Edge::to) != file_.edges.end())
      diagnostics_.report(diag::kEntered, at, file_.nodes[first].name);
    if (!diagnostics_.has_errors()) report_not_reached(first);
    if (!diagnostics_.has_errors()) apply();
  }

 private:
  enum class Mark : std::uint8_t { New, Open, Done };

  void visit(std::size_t node) {
    marks_[node] = Mark::Open;
    way_.push_back(node);
    for (const Edge& edge : file_.edges) {
      if (edge.from != node) continue;
      if (marks_[edge.to] == Mark::Open) report_cycle(edge);
      if (marks_[edge.to] == Mark::New) visit(edge.to);
    }
    way_.pop_back();
    marks_[node] = Mark::Done;
    backward_.push_back(node);
  }

  void report_cycle(const Edge& edge) {
    std::vector<std::string> names;
    for (auto at = std::ranges::find(way_, edge.to); at != way_.end(); ++at)
      names.push_back(file_.nodes[*at].name);
    names.push_back(file_.nodes[edge.to].name);
    diagnostics_.report(diag::kCycle, edge.at, fmt::format("{}", fmt::join(names, " -> ")));
  }

  void report_not_reached(std::size_t first) {
    std::vector<bool> reached(file_.nodes.size());
    reached[first] = true;
    for (auto at = backward_.rbegin(); at != backward_.rend(); ++at)
      for (const Edge& edge : file_.edges)
        if (edge.from == *at && reached[*at]) reached[edge.to] = true;
    for (std::size_t i = 0; i < reached.size(); ++i)
      if (!reached[i])
        diagnostics_.report(diag::kNotReached, file_.nodes[i].at, file_.nodes[i].name,
                            file_.nodes[first].name);
  }

  void apply() {
    std::vector<std::size_t> place(file_.nodes.size());
    std::vector<NodeSpec> nodes;
    for (auto at = backward_.rbegin(); at != backward_.rend(); ++at) {
      place[*at] = nodes.size();
      nodes.push_back(std::move(file_.nodes[*at]));
    }
    file_.nodes = std::move(nodes);
    for (Edge& edge : file_.edges) {
      edge.from = place[edge.from];
      edge.to = place[edge.to];
    }
  }

  ChainFile& file_;
  Diagnostics& diagnostics_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> way_, backward_;
};

class ChainReader {
 public:
  ChainReader(const std::string& path, Diagnostics& diagnostics)
      : folder_(std::filesystem::path(path).parent_path()), diagnostics_(diagnostics) {}

  ChainFile read(const Yaml& root) {
    YamlMap map(root, diagnostics_, "a chain");
    if (!map.is_valid() || !map.check_schema("perfpact.chain/1")) return std::move(file_);
    if (const auto nodes = map.require("nodes")) read_nodes(*nodes);
    const auto enter = map.optional("enter");
    if (const auto edges = map.optional("edges"))
      for (const Yaml& edge : edges->items()) read_edge(edge);
    map.finish();
    if (!diagnostics_.has_errors() && file_.nodes.empty()) diagnostics_.report(diag::kNoNodes, root.span());
    if (diagnostics_.has_errors()) return std::move(file_);
    std::optional<std::size_t> first = enter ? find(*enter) : std::optional(first_without_edge());
    if (first) Order(file_, diagnostics_).make(*first, enter ? enter->span() : file_.nodes[*first].at);
    return std::move(file_);
  }

 private:
  void read_nodes(const Yaml& nodes) {
    if (!nodes.is_map()) (void)YamlMap(nodes, diagnostics_, "'nodes'");
    for (const auto& [name, node] : nodes.entries()) {
      if (!is_name(name.text())) diagnostics_.report(diag::kNodeName, name.span(), name.text());
      NodeSpec spec = read_node(node);
      spec.name = name.text();
      spec.at = name.span();
      file_.nodes.push_back(std::move(spec));
    }
  }

  NodeSpec read_node(const Yaml& yaml) {
    NodeSpec spec;
    YamlMap map(yaml, diagnostics_, "a node");
    if (!map.is_valid()) return spec;
    if (const auto program = map.require("program")) {
      spec.program_at = program->span();
      if (const auto text = program->as_string("program", diagnostics_)) spec.program = resolve(*text);
    }
    if (const auto length = map.optional("packet_length")) read_length(*length, spec);
    const auto given = [&](const char* key, auto& keys) {
      auto value = map.optional(key);
      if (value) keys.emplace_back(key, value->span());
      return value;
    };
    if (const auto entry = given("entry", spec.native_keys)) spec.entry = entry->text();
    if (const auto file = given("entry_file", spec.native_keys)) spec.entry_file = resolve(file->text());
    if (const auto list = given("arguments", spec.native_keys)) spec.arguments = texts(*list);
    if (const auto list = given("packs", spec.native_keys)) spec.packs = files(*list);
    if (const auto list = given("tables", spec.p4_keys)) spec.tables = files(*list);
    if (const auto file = given("cost_model", spec.p4_keys)) spec.cost_model = resolve(file->text());
    map.finish();
    return spec;
  }

  void read_length(const Yaml& yaml, NodeSpec& spec) {
    const std::string text = yaml.text();
    const std::size_t dots = text.find("..");
    const auto number = [](std::string_view digits) {
      std::optional<std::uint32_t> value(0);
      const auto [end, error] = std::from_chars(digits.begin(), digits.end(), *value);
      return error == std::errc() && end == digits.end() ? value : std::nullopt;
    };
    const auto low = number(std::string_view(text).substr(0, dots));
    const auto high = dots == std::string::npos ? low : number(std::string_view(text).substr(dots + 2));
    if (!low || !high || *low > *high || *high > kMostBytes)
      diagnostics_.report(diag::kLength, yaml.span(), text, kMostBytes);
    else
      spec.packet_length = {*low, *high};
  }

  void read_edge(const Yaml& yaml) {
    YamlMap map(yaml, diagnostics_, "an edge");
    if (!map.is_valid()) return;
    const auto from = map.require("from");
    const auto port = map.require("port");
    const auto to = map.require("to");
    const auto to_port = map.optional("to_port");
    map.finish();
    if (!from || !port || !to) return;
    Edge edge{.at = yaml.span()};
    const auto source = find(*from);
    const auto target = find(*to);
    const auto out = port->as_u64("port", kMostPort, diagnostics_);
    const auto in = to_port ? to_port->as_u64("to_port", kMostPort, diagnostics_) : Result<std::uint64_t>(0);
    if (!source || !target || !out || !in) return;
    edge.from = *source;
    edge.to = *target;
    edge.port = *out;
    edge.to_port = *in;
    if (std::ranges::any_of(file_.edges, [&](const Edge& other) {
          return other.from == edge.from && other.port == edge.port;
        }))
      diagnostics_.report(diag::kPortTwice, port->span(), edge.port, from->text());
    file_.edges.push_back(edge);
  }

  std::optional<std::size_t> find(const Yaml& name) {
    const auto found = std::ranges::find(file_.nodes, name.text(), &NodeSpec::name);
    if (found != file_.nodes.end()) return static_cast<std::size_t>(found - file_.nodes.begin());
    std::vector<std::string> names;
    for (const NodeSpec& node : file_.nodes) names.push_back(node.name);
    diagnostics_.report(diag::kUnknownNode, name.span(), name.text(), did_you_mean(name.text(), names));
    return std::nullopt;
  }

  // Where there is none, there is a cycle, which is told.
  std::size_t first_without_edge() const {
    for (std::size_t i = 0; i < file_.nodes.size(); ++i)
      if (std::ranges::find(file_.edges, i, &Edge::to) == file_.edges.end()) return i;
    return 0;
  }

  std::string resolve(const std::string& file) const { return (folder_ / file).string(); }

  std::vector<std::string> texts(const Yaml& list) {
    std::vector<std::string> result;
    for (const Yaml& item : list.items()) result.push_back(item.text());
    if (!list.is_list())
      diagnostics_.report(perfpact::diag::kYamlExpected, list.span(), "this", "a list", list.describe());
    return result;
  }

  std::vector<std::string> files(const Yaml& list) {
    std::vector<std::string> result = texts(list);
    for (std::string& file : result) file = resolve(file);
    return result;
  }

  std::filesystem::path folder_;
  Diagnostics& diagnostics_;
  ChainFile file_;
};

}  // namespace

Result<ChainFile> ChainFile::load(const std::string& path, Diagnostics& diagnostics) {
  const auto yaml = load_yaml(path, diagnostics);
  if (!yaml) return std::unexpected(yaml.error());
  ChainFile file = ChainReader(path, diagnostics).read(*yaml);
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  return file;
}

}  // namespace perfpact::chain
