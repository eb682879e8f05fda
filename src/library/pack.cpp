#include "library/pack.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/check.h"
#include "base/spelling.h"
#include "base/yaml.h"
#include "library/c_library.h"
#include "library/diagnostics.h"
#include "library/latency.h"

namespace perfpact::library {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 16;  // that a method reads, or of an object
constexpr std::uint64_t kRegister = 8;         // bytes
constexpr auto kMemoryFunctions = std::to_array<std::pair<std::string_view, MemoryFunction>>({
    {"copy", MemoryFunction::Copy},
    {"fill", MemoryFunction::Fill},
    {"compare", MemoryFunction::Compare},
    {"compare_strings", MemoryFunction::CompareStrings},
    {"length", MemoryFunction::Length},
});
constexpr std::string_view kPackSchema = "perfpact.contract-pack/1", kMethodsSchema = "perfpact.methods/1";

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc() || end != text.end()) return std::nullopt;
  return number;
}

class Reader {
 public:
  Reader(const Yaml& root, Diagnostics& diagnostics)
      : map_(root, diagnostics, "a contract pack"), diagnostics_(diagnostics) {}

  std::optional<Pack> read(std::string_view schema) {
    if (!map_.is_valid() || !map_.check_schema(schema)) return std::nullopt;
    Pack pack;
    const auto library = map_.require_string("library");
    if (library) pack.library = *library;
    if (const auto binary = map_.optional("binary"); binary && is_map(*binary, "binary"))
      for (const auto& [key, value] : binary->entries()) pack.binary[key.text()] = value.text();
    const auto methods = map_.require("methods");
    map_.finish();
    if (!methods || !is_list(*methods, "methods")) return std::nullopt;
    std::set<std::string> functions;
    for (const Yaml& yaml : methods->items()) {
      Method method = read_method(yaml);
      if (!functions.insert(method.function).second)
        diagnostics_.report(diag::kTwice, yaml.span(), "function", method.function);
      pack.methods.push_back(std::move(method));
    }
    return pack;
  }

 private:
  bool is_list(const Yaml& yaml, std::string_view what) {
    if (yaml.is_list()) return true;
    diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), what, "a list", yaml.describe());
    return false;
  }
  bool is_map(const Yaml& yaml, std::string_view what) {
    if (yaml.is_map()) return true;
    diagnostics_.report(perfpact::diag::kYamlExpected, yaml.span(), what, "a mapping", yaml.describe());
    return false;
  }

  Method read_method(const Yaml& yaml) {
    Method method{.at = yaml.span()};
    YamlMap map(yaml, diagnostics_, "a method");
    if (const auto function = map.require_string("function")) method.function = *function;
    if (const auto name = map.require_string("method")) method.name = *name;
    if (const auto structure = map.optional("structure")) method.structure = argument(*structure);
    if (const auto reads = map.optional("reads"); reads && is_map(*reads, "reads"))
      for (const auto& [key, value] : reads->entries())
        if (const auto position = argument(key))
          method.reads[*position] = bytes(value, "what a method reads", kMostBytes);
    if (const auto widths = map.optional("widths"); widths && is_map(*widths, "widths"))
      for (const auto& [key, value] : widths->entries())
        if (const auto position = argument(key))
          method.widths[*position] = bytes(value, "an argument", kRegister);
    if (const auto fields = map.optional("fields"); fields && is_map(*fields, "fields"))
      for (const auto& [key, value] : fields->entries()) method.fields[key.text()] = read_field(value);
    if (const auto hash = map.optional("code_sha256")) method.code_sha256 = hash->text();
    if (const auto loops = map.optional("loops")) method.loops = read_places(*loops, "loops");
    if (const auto calls = map.optional("callbacks")) method.callbacks = read_places(*calls, "callbacks");
    if (const auto memory = map.optional("memory")) read_memory(*memory, method);
    std::optional<Yaml> outcomes;
    if (method.memory)
      outcomes = map.optional("outcomes");
    else if (const auto required = map.require("outcomes"))
      outcomes = *required;
    map.finish();
    if (method.memory && !outcomes) {
      method.outcomes.push_back({.name = "done", .pcvs = {{.name = "n"}}});
      check_memory(method);
    }
    if (!outcomes || !is_list(*outcomes, "outcomes")) return method;
    std::set<std::string> names;
    for (const Yaml& one : outcomes->items()) {
      Outcome outcome = read_outcome(one, method);
      if (!names.insert(outcome.name).second)
        diagnostics_.report(diag::kTwice, one.span(), "outcome", outcome.name);
      method.outcomes.push_back(std::move(outcome));
    }
    if (method.outcomes.empty()) diagnostics_.report(diag::kNoOutcomes, yaml.span(), method.function);
    if (method.memory) check_memory(method);
    return method;
  }

  // `copy`, or `{length: bounded}`
  void read_memory(const Yaml& yaml, Method& method) {
    const std::vector<std::pair<Yaml, Yaml>> entries =
        yaml.is_map() ? yaml.entries() : std::vector<std::pair<Yaml, Yaml>>();
    const bool is_bounded =
        entries.size() == 1 && entries[0].second.is_scalar() && entries[0].second.text() == "bounded";
    std::string name;
    if (yaml.is_scalar()) name = yaml.text();
    if (is_bounded) name = entries[0].first.text();
    const auto known =
        std::ranges::find(kMemoryFunctions, name, &std::pair<std::string_view, MemoryFunction>::first);
    if (known == kMemoryFunctions.end() || (is_bounded && !can_be_bounded(known->second))) {
      diagnostics_.report(diag::kMemory, yaml.span(), yaml.is_scalar() ? yaml.text() : yaml.describe());
      return;
    }
    method.memory = known->second;
    method.is_bounded = is_bounded;
  }

  static bool can_be_bounded(MemoryFunction function) {
    return function == MemoryFunction::CompareStrings || function == MemoryFunction::Length;
  }

  // Nothing of its outcome is asked that what it does to memory tells.
  void check_memory(const Method& method) {
    if (method.outcomes.size() != 1) {
      diagnostics_.report(diag::kMemoryOutcome, method.at, method.function);
      return;
    }
    const Outcome& one = method.outcomes.front();
    const bool says_more = !one.requires_state.empty() || one.returned.kind != Returned::Kind::Unknown ||
                           !one.writes.empty() || one.object || !one.leaves.empty() || !one.forgets.empty();
    const bool is_n = one.pcvs.size() == 1 && one.pcvs.front().name == "n" && !one.pcvs.front().value;
    if (says_more || !is_n || method.structure)
      diagnostics_.report(diag::kMemoryOutcome, one.at, method.function);
  }

  std::vector<Place> read_places(const Yaml& yaml, std::string_view what) {
    std::vector<Place> places;
    if (!is_map(yaml, what)) return places;
    for (const auto& [key, value] : yaml.entries())
      if (const auto name = value.as_string(what, diagnostics_))
        places.push_back({key.text(), *name, key.span()});
    return places;
  }

  Method::Field read_field(const Yaml& yaml) {
    Method::Field field;
    YamlMap map(yaml, diagnostics_, "a field");
    if (const auto offset = map.require("offset"))
      field.offset =
          static_cast<std::uint32_t>(offset->as_u64("an offset", kMostBytes, diagnostics_).value_or(0));
    if (const auto size = map.require("bytes")) field.bytes = bytes(*size, "a field", kRegister);
    map.finish();
    return field;
  }

  Outcome read_outcome(const Yaml& yaml, const Method& method) {
    Outcome outcome{.at = yaml.span()};
    YamlMap map(yaml, diagnostics_, "an outcome");
    if (const auto name = map.require_string("name")) outcome.name = *name;
    if (const auto condition_of = map.optional("requires"))
      outcome.requires_state = condition(*condition_of, method);
    if (const auto returns = map.optional("returns")) read_returned(*returns, method, outcome);
    if (const auto writes = map.optional("writes"); writes && is_map(*writes, "writes"))
      for (const auto& [key, value] : writes->entries())
        if (const auto position = argument(key))
          for (const Yaml& one : value.is_list() ? value.items() : std::vector{value})
            read_write(*position, one, method, outcome);
    if (const auto leaves = map.optional("leaves")) outcome.leaves = read_leaves(*leaves, method);
    if (const auto forgets = map.optional("forgets"); forgets && is_list(*forgets, "forgets"))
      for (const Yaml& one : forgets->items()) outcome.forgets.push_back(one.text());
    if (const auto pcvs = map.optional("pcvs")) read_pcvs(*pcvs, method, outcome);
    for (const std::string_view metric : kMetrics)
      if (const auto cost = map.optional(metric)) read_cost(metric, *cost, outcome);
    if (const auto cost = map.optional(kLatency)) read_cost(kLatency, *cost, outcome);
    map.finish();
    return outcome;
  }

  void read_returned(const Yaml& yaml, const Method& method, Outcome& outcome) {
    Returned& returned = outcome.returned;
    if (yaml.is_scalar()) {
      if (yaml.text() == "unknown") return;
      if (auto term = parse_term(yaml.text(), yaml.span(), diagnostics_)) {
        check(*term, method);
        returned.kind = Returned::Kind::Term;
        returned.term = std::move(*term);
      }
      return;
    }
    if (!yaml.is_map()) {
      diagnostics_.report(diag::kReturns, yaml.span());
      return;
    }
    YamlMap map(yaml, diagnostics_, "what is returned");
    if (read_object(map, method, outcome)) {
      returned.kind = Returned::Kind::Object;
    } else {
      returned.kind = Returned::Kind::Number;
      if (const auto size = map.require("bytes"))
        returned.bytes = bytes(*size, "what is returned", kRegister);
      if (const auto assume = map.optional("assume")) returned.assume = condition(*assume, method);
    }
    map.finish();
  }

  /// Whether it speaks of an object.
  bool read_object(YamlMap& map, const Method& method, Outcome& outcome) {
    const auto name = map.optional("object");
    if (!name) return false;
    if (outcome.object) diagnostics_.report(diag::kSecondObject, name->span(), outcome.name);
    Object object{.name = name->text()};
    if (const auto size = map.require("bytes")) object.size = object_size(*size, method);
    if (const auto same_for = map.optional("same_for");
        same_for && same_for->is_scalar() && same_for->text() == "call") {
      object.is_fresh = true;
    } else if (same_for) {
      const std::vector<Yaml> items = same_for->is_list() ? same_for->items() : std::vector{*same_for};
      for (const Yaml& item : items)
        if (auto term = parse_term(item.text(), item.span(), diagnostics_)) {
          check(*term, method);
          object.same_for.push_back(std::move(*term));
        }
    }
    outcome.object = std::move(object);
    return true;
  }

  Term object_size(const Yaml& yaml, const Method& method) {
    auto size = parse_term(yaml.text(), yaml.span(), diagnostics_);
    if (!size) return {};
    check(*size, method);
    const bool is_size = size->kind == Term::Kind::Field || size->kind == Term::Kind::Argument ||
                         size->kind == Term::Kind::Number;
    if (!is_size || (size->kind == Term::Kind::Number && (size->number == 0 || size->number > kMostBytes)))
      diagnostics_.report(diag::kBytes, yaml.span(), "an object", yaml.text(),
                          fmt::format("1 to {}, an argument or a field", kMostBytes));
    return std::move(*size);
  }

  void read_write(std::uint32_t position, const Yaml& yaml, const Method& method, Outcome& outcome) {
    Write write{.argument = position, .bytes = kRegister, .at = yaml.span()};
    YamlMap map(yaml, diagnostics_, "what is written");
    if (read_object(map, method, outcome)) {
      write.is_object = true;
    } else {
      if (const auto size = map.require("bytes")) write.bytes = bytes(*size, "what is written", kMostBytes);
      if (const auto offset = map.optional("offset"))
        write.offset =
            static_cast<std::uint32_t>(offset->as_u64("an offset", kMostBytes, diagnostics_).value_or(0));
      if (const auto is = map.optional("is"))
        if (auto term = parse_term(is->text(), is->span(), diagnostics_)) {
          check(*term, method);
          write.is = std::move(*term);
        }
      if (const auto assume = map.optional("assume")) write.assume = condition(*assume, method);
    }
    map.finish();
    outcome.writes.push_back(std::move(write));
  }

  Condition read_leaves(const Yaml& yaml, const Method& method) {
    Condition leaves;
    if (!is_list(yaml, "leaves")) return leaves;
    for (const Yaml& one : yaml.items())
      for (Atom& atom : condition(one, method)) {
        const bool is_assignment =
            atom.left.kind == Term::Kind::Function &&
            (atom.comparison == Atom::Comparison::Holds || atom.comparison == Atom::Comparison::Equal);
        if (!is_assignment)
          diagnostics_.report(diag::kConditionSyntax, one.span(),
                              "a function, `not` and one, or one `==` a term", to_string(Condition{atom}));
        leaves.push_back(std::move(atom));
      }
    return leaves;
  }

  void read_pcvs(const Yaml& yaml, const Method& method, Outcome& outcome) {
    if (yaml.is_map()) {
      for (const auto& [key, value] : yaml.entries())
        outcome.pcvs.push_back(read_pcv(key.text(), value, method));
    } else if (is_list(yaml, "pcvs")) {
      for (const Yaml& one : yaml.items()) outcome.pcvs.push_back({.name = one.text()});
    }
  }

  Pcv read_pcv(const std::string& name, const Yaml& yaml, const Method& method) {
    Pcv pcv{.name = name};
    const std::string text = yaml.text();
    if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
      const auto low = to_number(std::string_view(text).substr(0, dots));
      const std::string_view end = std::string_view(text).substr(dots + 2);
      pcv.high = to_number(end);
      if (!low || (!end.empty() && (!pcv.high || *pcv.high < *low)))
        diagnostics_.report(diag::kRange, yaml.span(), text);
      pcv.low = low.value_or(0);
    } else if (!text.empty()) {
      if (auto term = parse_term(text, yaml.span(), diagnostics_)) {
        check(*term, method);
        pcv.value = std::move(*term);
      }
    }
    return pcv;
  }

  void read_cost(std::string_view metric, const Yaml& yaml, Outcome& outcome) {
    YamlMap map(yaml, diagnostics_, fmt::format("'{}' of an outcome", metric));
    const auto text = map.require("formula");
    const auto quality = map.require_string("quality");
    const auto number = [&](std::string_view key) -> std::optional<Rational> {
      const auto value = map.optional(key);
      if (!value) return std::nullopt;
      const auto read = value->as_rational(key, diagnostics_);
      return read ? std::optional(*read) : std::nullopt;
    };
    const auto over_at_most = number("over_at_most");
    const auto over_mean = number("over_mean");
    map.finish();
    if (quality && *quality != "exact" && *quality != "bounded")
      diagnostics_.report(diag::kQuality, yaml.span(), *quality);
    if (!text || !quality) return;
    const auto parsed = formula::Formula::parse(text->text(), text->span(), diagnostics_);
    if (!parsed) return;
    std::vector<std::string> known;
    known.reserve(outcome.pcvs.size());
    for (const Pcv& pcv : outcome.pcvs) known.push_back(pcv.name);
    for (const formula::Formula::Name& name : parsed->names())
      if (std::ranges::find(known, name.name) == known.end())
        diagnostics_.report(diag::kUnknownPcv, name.span, name.name, outcome.name,
                            did_you_mean(name.name, known));
    outcome.costs.emplace(metric,
                          Cost{*parsed, *quality == "exact" ? Cost::Quality::Exact : Cost::Quality::Bounded,
                               over_at_most, over_mean});
  }

  Condition condition(const Yaml& yaml, const Method& method) {
    auto parsed = parse_condition(yaml.text(), yaml.span(), diagnostics_);
    if (!parsed) return {};
    for (const Atom& atom : *parsed) {
      check(atom.left, method);
      check(atom.right, method);
    }
    return std::move(*parsed);
  }

  void check(const Term& term, const Method& method) {
    for (const Term& argument : term.arguments) check(argument, method);
    if (term.kind != Term::Kind::Field || method.fields.contains(term.name)) return;
    std::vector<std::string> names{"value"};
    for (const auto& [name, field] : method.fields) names.push_back(name);
    diagnostics_.report(diag::kUnknownTerm, term.at, term.name, did_you_mean(term.name, names));
  }

  std::optional<std::uint32_t> argument(const Yaml& yaml) {
    const auto term = parse_term(yaml.text(), yaml.span(), diagnostics_);
    if (!term) return std::nullopt;
    if (term->kind != Term::Kind::Argument) {
      diagnostics_.report(diag::kArgument, yaml.span(), yaml.text());
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(term->number);
  }

  std::uint32_t bytes(const Yaml& yaml, std::string_view what, std::uint64_t most) {
    const auto number = yaml.as_u64(what, most, diagnostics_);
    if (number && *number == 0)
      diagnostics_.report(diag::kBytes, yaml.span(), what, *number, fmt::format("1 to {}", most));
    return static_cast<std::uint32_t>(number.value_or(1));
  }

  YamlMap map_;
  Diagnostics& diagnostics_;
};

Result<Pack> read(const Yaml& yaml, std::string_view schema, const std::string& path,
                  Diagnostics& diagnostics) {
  std::optional<Pack> pack = Reader(yaml, diagnostics).read(schema);
  if (diagnostics.has_errors() || !pack) return std::unexpected(diagnostics.already_reported());
  pack->path = path;
  return std::move(*pack);
}

bool is_pack(const Yaml& yaml) {
  return std::ranges::any_of(yaml.entries(), [](const auto& entry) {
    return entry.first.text() == "schema" && entry.second.text() == kPackSchema;
  });
}

}  // namespace

Result<Pack> Pack::load(const std::string& path, Diagnostics& diagnostics) {
  const auto yaml = load_yaml(path, diagnostics);
  if (!yaml) return std::unexpected(yaml.error());
  return read(*yaml, kPackSchema, path, diagnostics);
}

Pack Pack::c_library(Diagnostics& diagnostics) {
  SourceManager& sources = diagnostics.sources();
  FileId file = sources.find(kCLibraryName);
  if (file == FileId::None) file = sources.add(std::string(kCLibraryName), std::string(kCLibrary));
  const auto yaml = parse_yaml(file, diagnostics);
  PERFPACT_CHECK(yaml.has_value(), "the pack of the C library: {}", diagnostics.render());
  auto pack = read(*yaml, kPackSchema, std::string(kCLibraryName), diagnostics);
  PERFPACT_CHECK(pack.has_value(), "the pack of the C library: {}", diagnostics.render());
  pack->is_shipped = true;
  return std::move(*pack);
}

Result<Pack> Pack::load_methods(const std::string& path, Diagnostics& diagnostics) {
  const auto yaml = load_yaml(path, diagnostics);
  if (!yaml) return std::unexpected(yaml.error());
  return read(*yaml, is_pack(*yaml) ? kPackSchema : kMethodsSchema, path, diagnostics);
}

}  // namespace perfpact::library
