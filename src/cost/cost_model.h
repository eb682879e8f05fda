// Cost models: the vendor's map from events to costs, per scenario. docs/formats.md, section 4.
//
// A row names an event (or a list of events) and, as conditions, any of its attributes with a value or a list
// of values: `kind: [ternary, range]`, `hit: 1`. Its formula may use the constants and the numbers of the
// event; `others` may use the constants. The first row that matches counts. Tested by tests/cost/.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/number.h"
#include "formula/formula.h"
#include "program/event.h"

namespace perfpact::cost {

/// One value per scenario, in the order of CostModel::scenarios.
using Costs = std::vector<Rational>;

/// What an event costs, and the formula of the cost model that says so.
struct EventPrice {
  Costs costs;
  Span by;
};

class CostModel {
 public:
  /// Reads a cost model. Reports YAML faults, unknown events and attributes (with suggestions), formula
  /// faults, constants that lack a scenario, names in formulas that neither the constants nor the event have,
  /// conditions that nothing meets; warns of rows that an earlier one hides.
  [[nodiscard]] static Result<CostModel> load(const std::string& path, Diagnostics& diagnostics);

  [[nodiscard]] const std::string& name() const { return name_; }  // file name without directory and ending
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] const std::string& origin() const { return origin_; }
  [[nodiscard]] const std::string& metric() const { return metric_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] const std::vector<std::string>& scenarios() const { return scenarios_; }

  /// The cost of an event in every scenario, by the first row that matches, else `others`. Reports
  /// event-without-cost (names the event and its place in the program), faults of evaluation, and a cost
  /// below zero.
  [[nodiscard]] Result<EventPrice> price(const program::Event& event, Diagnostics& diagnostics) const;

  /// Names that numbers of an event go by, empty where the event tells the number.
  using NumberNames = std::array<std::string, 5>;
  /// The same where some numbers are not known: a formula over their names in every scenario. Nothing where
  /// it depends on such a number which row matches. Reports event-without-cost.
  [[nodiscard]] Result<std::optional<std::vector<formula::Formula>>> formulas(const program::Event& event,
                                                                              const NumberNames& names,
                                                                              Diagnostics& diagnostics) const;

 private:
  friend class CostModelReader;

  // An attribute of the event and the values of it that a row accepts.
  struct TextCondition {
    std::size_t index;
    std::vector<std::string> accepted;
  };
  struct NumberCondition {
    std::size_t index;
    std::vector<std::int64_t> accepted;
  };
  // What a name in a formula stands for.
  struct Slot {
    bool is_constant;
    std::size_t index;  // into constants_[scenario], or into Event::numbers
  };
  struct BoundFormula {
    formula::Formula formula;
    std::vector<Slot> slots;  // one per name of the formula
  };
  struct Row {
    std::vector<TextCondition> texts;
    std::vector<NumberCondition> numbers;  // all conditions must hold
    BoundFormula cost;
    Span span;

    [[nodiscard]] bool matches(const program::Event& event) const;
  };

  [[nodiscard]] const BoundFormula* find_cost(const program::Event& event) const;
  Reported report_no_cost(const program::Event& event, Diagnostics& diagnostics) const;

  std::string name_, file_, target_, origin_, metric_, unit_;
  std::vector<std::string> scenarios_;
  std::vector<std::vector<Rational>> constants_;             // per scenario
  std::array<std::vector<Row>, program::kEventKinds> rows_;  // by event kind, in the order of the file
  std::optional<BoundFormula> others_;
  Span span_;  // of the list of costs
};

}  // namespace perfpact::cost
