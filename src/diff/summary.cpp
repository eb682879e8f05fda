#include "diff/summary.h"

#include <nlohmann/json.hpp>

#include "diff/diagnostics.h"

namespace perfpact::diff {
namespace {

using Json = nlohmann::json;

// The formulas of `max(a, b)`, or the one that there is.
std::vector<std::string> parts_of(std::string_view text) {
  constexpr std::string_view kMax = "max(";
  if (!text.starts_with(kMax)) return {std::string(text)};
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text.substr(kMax.size())) {
    if (c == '(') ++depth;
    if (c == ')' && depth-- == 0) return parts;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return {std::string(text)};
}

// Throws Json::exception where something is missing or of another type.
class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Result<Summary> read(const Json& json) {
    Summary summary{.program = json.at("program").get<std::string>()};
    summary.is_complete = json.at("gaps").empty();
    for (const Json& one : json.at("classes")) {
      auto read = read_class(one);
      if (!read) return std::unexpected(read.error());
      summary.classes.push_back(std::move(*read));
      if (one.at("unknown").get<std::uint64_t>() > 0) summary.is_complete = false;
    }
    return summary;
  }

 private:
  Result<Class> read_class(const Json& json) {
    Class result{.name = json.at("name").get<std::string>(),
                 .is_empty = json.at("paths").get<std::uint64_t>() == 0};
    for (const auto& [metric, formula] : json.at("formula").items()) {
      Cost cost{.text = formula.get<std::string>(),
                .path = json.at("worst_paths").at(metric).get<std::string>()};
      if (const Json& most = json.at("most").at(metric); !most.is_null())
        cost.most = parse_rational(most.get<std::string>());
      for (const std::string& part : parts_of(cost.text)) {
        auto parsed = formula::Formula::parse(part, {}, diagnostics_);
        if (!parsed) return std::unexpected(parsed.error());
        cost.formulas.push_back(std::move(*parsed));
      }
      result.costs.emplace(metric, std::move(cost));
    }
    if (json.contains("lines"))
      for (const Json& line : json.at("lines")) result.lines.push_back(read_line(line));
    return result;
  }

  static Line read_line(const Json& json) {
    Line line{.at = json.at("at").get<std::string>(),
              .function = json.at("function").get<std::string>(),
              .text = json.value("text", ""),
              .calls = json.at("calls").get<std::vector<std::string>>()};
    for (const char* metric : {"instructions", "loads", "stores"})
      line.costs[metric] = json.at(metric).get<std::uint64_t>();
    return line;
  }

  Diagnostics& diagnostics_;
};

}  // namespace

Result<Summary> read_summary(std::string_view json, const std::string& name, Diagnostics& diagnostics) {
  const auto wrong = [&](std::string_view why) {
    return std::unexpected(diagnostics.report(diag::kNotAContract, {}, name, why));
  };
  const Json parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_object()) return wrong("it is no JSON object");
  if (const auto schema = parsed.find("schema"); schema == parsed.end() || *schema != "perfpact.contract/1")
    return wrong("its `schema` is not perfpact.contract/1");
  try {
    return Reader(diagnostics).read(parsed);
  } catch (const Json::exception& error) {
    return wrong(error.what());
  }
}

}  // namespace perfpact::diff
