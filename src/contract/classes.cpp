#include "contract/classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/yaml.h"
#include "contract/diagnostics.h"

namespace perfpact::contract {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::vector<InputClass> read(const Yaml& root) {
    std::vector<InputClass> classes;
    YamlMap map(root, diagnostics_, "a file of classes");
    if (!map.is_valid() || !map.check_schema("perfpact.classes/1")) return classes;
    const auto list = map.require("classes");
    map.finish();
    if (!list) return classes;
    for (const Yaml& one : list->items()) {
      InputClass read = read_class(one);
      if (read.name == kOther) diagnostics_.report(diag::kReservedClass, one.span(), read.name);
      if (std::ranges::find(classes, read.name, &InputClass::name) != classes.end())
        diagnostics_.report(diag::kClassTwice, one.span(), read.name);
      classes.push_back(std::move(read));
    }
    if (classes.empty()) diagnostics_.report(diag::kNoClasses, list->span());
    return classes;
  }

 private:
  InputClass read_class(const Yaml& yaml) {
    InputClass result{.at = yaml.span()};
    YamlMap map(yaml, diagnostics_, "a class");
    if (const auto name = map.require_string("name")) result.name = *name;
    if (const auto filter = map.optional("filter")) {
      result.filter_text = filter->text();
      result.filter_at = filter->span();
      if (auto compiled = packet::compile_filter(filter->text(), filter->span(), diagnostics_))
        result.filter = std::move(*compiled);
    }
    if (const auto where = map.optional("where"))
      if (auto parsed = formula::Formula::parse(where->text(), where->span(), diagnostics_))
        result.where = std::move(*parsed);
    if (const auto pcvs = map.optional("pcvs"))
      for (const auto& [key, value] : pcvs->entries()) read_pcv(key.text(), value, result);
    map.finish();
    return result;
  }

  void read_pcv(const std::string& name, const Yaml& yaml, InputClass& result) {
    const std::vector<Yaml> items = yaml.items();
    const auto number = [&](const Yaml& one) {
      return one.as_u64("the value of a PCV", kMost, diagnostics_);
    };
    if (yaml.is_scalar()) {
      if (const auto value = number(yaml)) result.pcvs[name] = {*value, *value};
    } else if (items.size() == 2) {
      const auto low = number(items[0]);
      const auto high = number(items[1]);
      if (!low || !high) return;
      if (*high < *low) diagnostics_.report(diag::kClassPcv, yaml.span(), name);
      result.pcvs[name] = {*low, *high};
    } else {
      diagnostics_.report(diag::kClassPcv, yaml.span(), name);
    }
  }

  Diagnostics& diagnostics_;
};

}  // namespace

bool is_meant(std::string_view name, std::string_view wanted) {
  if (name == wanted) return true;
  if (wanted.ends_with(".*"))
    return fmt::format(".{}", name).contains(fmt::format(".{}", wanted.substr(0, wanted.size() - 1)));
  return name.size() > wanted.size() && name.ends_with(wanted) &&
         name[name.size() - wanted.size() - 1] == '.';
}

const Range* promised(const InputClass& one, std::string_view name) {
  const std::pair<const std::string, Range>* best = nullptr;
  for (const auto& candidate : one.pcvs)
    if (is_meant(name, candidate.first) && (best == nullptr || candidate.first.size() > best->first.size()))
      best = &candidate;
  return best == nullptr ? nullptr : &best->second;
}

Result<std::vector<InputClass>> load_classes(const std::string& path, Diagnostics& diagnostics) {
  const auto yaml = load_yaml(path, diagnostics);
  if (!yaml) return std::unexpected(yaml.error());
  std::vector<InputClass> classes = Reader(diagnostics).read(*yaml);
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  return classes;
}

}  // namespace perfpact::contract
