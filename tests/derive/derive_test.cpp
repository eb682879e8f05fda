#include "derive/derive.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "derive/binary.h"
#include "derive/check.h"
#include "derive/diagnostics.h"
#include "derive/pack_text.h"
#include "derive/runs.h"
#include "library/diagnostics.h"

namespace perfpact::derive {
namespace {

const std::string kPrograms = PROGRAMS;
const std::string kSources = PERFPACT_SOURCE_DIR "/tests/derive/programs/";

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

class Derivation {
 public:
  // `methods` is the text of a file.
  Derivation(const std::string& program, const std::string& methods) : program_(kPrograms + program) {
    path_ = std::filesystem::temp_directory_path() / fmt::format("derive_test.{}.yaml", getpid());
    std::ofstream(path_) << methods;
    auto read = library::Pack::load_methods(path_, diagnostics_);
    if (!read) return;
    methods_ = std::move(*read);
    auto process = process::Process::start({.program = program_, .entry = start_of(program_)}, diagnostics_);
    if (!process) return;
    process_.emplace(std::move(*process));
    const Code code(*process_, methods_.methods, diagnostics_);
    if (auto all = derive(code, methods_, diagnostics_)) derived_ = std::move(*all);
  }
  ~Derivation() { std::filesystem::remove(path_); }

  void run(std::vector<std::string> arguments) {
    (void)hold_to_runs(derived_,
                       {.launch = {.program = program_, .arguments = std::move(arguments), .entry = "main"},
                        .entry = explore::Entry::raw("main")},
                       diagnostics_);
  }

  // What is reported of a call; null where nothing is.
  const DiagnosticKind* check(const count::MethodCall& call) {
    Diagnostics diagnostics(sources_);
    RunChecker(derived_, diagnostics).check(call);
    return diagnostics.all().empty() ? nullptr : diagnostics.all().front().kind;
  }

  const DerivedOutcome& outcome(std::string_view function, std::string_view name) const {
    static const DerivedOutcome kNone;
    for (const DerivedMethod& method : derived_)
      for (const DerivedOutcome& one : method.outcomes)
        if (method.method->function == function && one.outcome->name == name) return one;
    ADD_FAILURE() << function << " " << name << "\n" << diagnostics_.render();
    return kNone;
  }
  std::string formulas(std::string_view function, std::string_view name) const {
    const DerivedOutcome& one = outcome(function, name);
    return fmt::format("{}; {}; {}", formula(one, 0), formula(one, 1), formula(one, 2));
  }
  bool is_exact_by_structure(std::string_view function, std::string_view name) const {
    return std::ranges::all_of(outcome(function, name).costs, &DerivedCost::is_exact_by_structure);
  }
  std::string pack() const { return to_pack(methods_, derived_, binary_of(*process_, derived_)); }
  std::string rendered() const { return diagnostics_.render(); }
  const process::Process& process() const { return *process_; }

  bool has(const DiagnosticKind& kind) const {
    return std::ranges::any_of(diagnostics_.all(), [&](const Diagnostic& one) { return one.kind == &kind; });
  }

 private:
  std::string program_;
  std::string path_;
  SourceManager sources_;
  Diagnostics diagnostics_{sources_};
  library::Pack methods_;
  std::optional<process::Process> process_;
  std::vector<DerivedMethod> derived_;
};

std::string toy() {
  return text_of(kSources + "toy.yaml");
}

// Of one method of faults.c.
std::string fault(std::string_view function) {
  return fmt::format(
      "schema: perfpact.methods/1\nlibrary: faults\nmethods:\n"
      "  - {{function: {0}, method: {0}, outcomes: [{{name: done}}]}}\n",
      function);
}

TEST(Derive, FormulasOfKnownCode) {
  const Derivation derivation("toy", toy());
  EXPECT_EQ(derivation.rendered(), "");
  EXPECT_EQ(derivation.formulas("toy_length", "done"), "4*l + 5; l + 1; 0");
  EXPECT_EQ(derivation.formulas("toy_lengths", "done"), "4*length.l + 17; length.l + 4; 3");
  EXPECT_EQ(derivation.formulas("toy_countdown", "done"), "2*n + 3; 1; 0");
  EXPECT_EQ(derivation.formulas("toy_clear", "done"), "35; 1; 32");
  EXPECT_EQ(derivation.formulas("toy_apply", "applied"), "8; 3; 2");
  for (const char* method : {"toy_length", "toy_lengths", "toy_countdown", "toy_clear"})
    EXPECT_TRUE(derivation.is_exact_by_structure(method, "done")) << method;
}

// What is found costs something once. That could be priced at each slot, which is right for entries with one
// slot and far too much for those with many.
TEST(Derive, RoundsOfInnerLoopsAreNotPricedAboveTheirCost) {
  const Derivation derivation("toy", toy());
  EXPECT_EQ(derivation.formulas("toy_erase", "done"), "14*e + 4*s + 1; 1; 0");
  EXPECT_FALSE(derivation.is_exact_by_structure("toy_erase", "done")) << "some entries are not found";
}

// Four ways look possible; constants tell that two are.
TEST(Derive, WaysThatConstantsRuleOut) {
  const Derivation derivation("toy", toy());
  EXPECT_EQ(derivation.formulas("toy_sign", "negative"), "13; 2; 1");
  EXPECT_EQ(derivation.formulas("toy_sign", "positive"), "9; 2; 1");
  EXPECT_TRUE(derivation.is_exact_by_structure("toy_sign", "negative"));
}

TEST(Derive, UnrolledLoopsHaveLinearBounds) {
  for (const char* program : {"toy", "toy-unrolled"}) {
    Derivation derivation(program, toy());
    derivation.run({"120"});
    EXPECT_EQ(derivation.rendered(), "");
    EXPECT_EQ(derivation.outcome("toy_sum", "done").calls, 120) << program;
    EXPECT_EQ(derivation.outcome("toy_sum", "done").pcvs.size(), 1U);
  }
}

TEST(Derive, RunsTellHowFarABoundIsAbove) {
  Derivation derivation("toy", toy());
  derivation.run({"60"});
  EXPECT_EQ(derivation.rendered(), "");
  const DerivedOutcome& length = derivation.outcome("toy_length", "done");
  EXPECT_EQ(length.calls, 60U);
  EXPECT_EQ(length.costs[0].over_at_most, 0);
  EXPECT_EQ(derivation.outcome("toy_lengths", "done").calls, 60U);
  EXPECT_EQ(derivation.outcome("toy_countdown", "done").calls, 0U) << "count does not see its loop";
  EXPECT_EQ(derivation.outcome("toy_related", "small").calls + derivation.outcome("toy_related", "big").calls,
            60U);
}

// What counts one instruction or access too many or too few does not pass as a bound that is a little above.
TEST(Derive, RunsFindWhatCountsWrongly) {
  Derivation toys("toy", toy());
  const process::Counts right{.instructions = 17, .loads = 4, .stores = 0};
  const auto found = [&](const process::Counts& counts) {
    return toys.check({.method = "toy_length", .outcome = "done", .pcvs = {{"l", 3}}, .counts = counts});
  };
  EXPECT_EQ(found(right), nullptr);
  for (const auto metric :
       {&process::Counts::instructions, &process::Counts::loads, &process::Counts::stores}) {
    process::Counts wrong = right;
    ++(wrong.*metric);
    EXPECT_EQ(found(wrong), &diag::kUnderestimated);
    if (right.*metric == 0) continue;
    wrong.*metric -= 2;
    EXPECT_EQ(found(wrong), &diag::kOverestimated);
  }
}

// The derived pack with one text in it replaced by another.
struct Edited {
  SourceManager sources;
  Diagnostics diagnostics{sources};
  bool fits = false;
  Edited(const Derivation& derivation, std::string_view what, std::string_view with) {
    const std::string path =
        std::filesystem::temp_directory_path() / fmt::format("derive_test.{}.edited", getpid());
    std::ofstream(path) << replaced(derivation.pack(), what, with);
    const auto pack = library::Pack::load(path, diagnostics);
    EXPECT_TRUE(pack) << diagnostics.render();
    if (pack) fits = check_pack(derivation.process(), *pack, diagnostics).has_value();
    std::filesystem::remove(path);
  }
};

TEST(Derive, PacksThatAreEditedBelowTheirCodeAreRefused) {
  const Derivation toys("toy", toy());
  for (const char* below : {"3*l + 5", "4*l + 4", "4*l", "5*l + 4", "1000"}) {
    const Edited edited(toys, "formula: 4*l + 5,", fmt::format("formula: {},", below));
    EXPECT_FALSE(edited.fits) << below;
    EXPECT_NE(edited.diagnostics.render().find("[derive-pack-below]"), std::string::npos) << below;
    EXPECT_NE(edited.diagnostics.render().find("toy_length"), std::string::npos) << below;
  }
  for (const char* fine : {"4*l + 5", "4*l + 6", "5*l + 5", "9/2*l + 5"})
    EXPECT_TRUE(Edited(toys, "formula: 4*l + 5,", fmt::format("formula: {},", fine)).fits) << fine;
  const Edited unchecked(toys, "formula: 4*l + 5,", "formula: \"max(4*l + 5, 1)\",");
  EXPECT_TRUE(unchecked.fits);
  EXPECT_NE(unchecked.diagnostics.render().find("[derive-pack-unchecked]"), std::string::npos);
}

TEST(Derive, PackHasTheSymbolicPartAndTheCosts) {
  const Derivation derivation("toy", toy());
  const std::string text = derivation.pack();
  EXPECT_NE(text.find("build_id: "), std::string::npos) << text;
  EXPECT_NE(text.find("compiler: GNU C"), std::string::npos) << text;
  const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("derive_test.{}.pack", getpid());
  std::ofstream(path) << text;
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const auto pack = library::Pack::load(path, diagnostics);
  ASSERT_TRUE(pack) << diagnostics.render() << text;
  ASSERT_EQ(pack->methods.size(), 9U);
  const library::Outcome& done = pack->methods[0].outcomes[0];
  EXPECT_EQ(done.costs.at("instructions").formula.to_string(), "4*l + 5");
  EXPECT_EQ(done.costs.at("instructions").quality, library::Cost::Quality::Exact);
  const library::Outcome& counted = pack->methods[3].outcomes[0];
  ASSERT_EQ(counted.pcvs.size(), 1U);
  EXPECT_EQ(counted.pcvs[0].high, 100U);
  EXPECT_TRUE(check_pack(derivation.process(), *pack, diagnostics));
  const Derivation other("toy-unrolled", toy());
  EXPECT_FALSE(check_pack(other.process(), *pack, diagnostics));
  EXPECT_NE(diagnostics.render().find("toy_sum"), std::string::npos);
  EXPECT_EQ(diagnostics.render().find("toy_length"), std::string::npos) << "it is the same in both";
  EXPECT_NE(diagnostics.render().find("[derive-other-code]"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(Derive, FaultsNameTheirPlaces) {
  const auto report = [](std::string_view function) {
    return Derivation("faults", fault(function)).rendered();
  };
  const std::string source = text_of(kSources + "faults.c");
  const auto line =
      std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find("// the loop")),
                 '\n') +
      1;
  EXPECT_NE(report("unmarked").find(fmt::format("the loop at faults.c:{} (unmarked", line)),
            std::string::npos)
      << report("unmarked");
  EXPECT_NE(report("unmarked").find("[derive-unmarked-loop]"), std::string::npos);
  EXPECT_NE(report("recursive").find("[derive-recursion]"), std::string::npos) << report("recursive");
  EXPECT_NE(report("indirect").find("[derive-indirect]"), std::string::npos);
  EXPECT_NE(report("indirect").find("faults.c:"), std::string::npos);
  EXPECT_NE(report("repeating").find("[derive-repeats]"), std::string::npos) << report("repeating");
  EXPECT_NE(report("broken").find("[derive-not-decoded]"), std::string::npos) << report("broken");
  EXPECT_NE(report("unfinished").find("[derive-no-outcome]"), std::string::npos) << report("unfinished");
  EXPECT_NE(report("unlisted").find("'dome', which is not listed; did you mean 'done'?"), std::string::npos)
      << report("unlisted");
  EXPECT_NE(report("unlisted").find("[derive-unlisted-outcome]"), std::string::npos);
  EXPECT_NE(report("large").find("[derive-too-large]"), std::string::npos) << report("large");
  EXPECT_NE(report("elsewhere").find("[derive-no-methods]"), std::string::npos) << report("elsewhere");
}

TEST(Derive, MethodsThatDoNotFitTheProgram) {
  const Derivation skipped("toy",
                           toy() + "  - {function: toy_none, method: none, outcomes: [{name: done}]}\n");
  EXPECT_TRUE(skipped.has(diag::kSkipped));
  EXPECT_EQ(skipped.formulas("toy_length", "done"), "4*l + 5; l + 1; 0");
  const Derivation place("toy", replaced(toy(), "toy_countdown+0x2", "toy_cuntdown+0x2"));
  EXPECT_TRUE(place.has(diag::kUnknownPlace));
  const Derivation callback("toy", replaced(toy(), ": toy_cheap", ": toy_chip"));
  EXPECT_TRUE(callback.has(diag::kUnknownPlace));
  const Derivation no_way(
      "toy", replaced(toy(), "outcomes: [{name: applied}]", "outcomes: [{name: applied}, {name: aplied}]"));
  EXPECT_TRUE(no_way.has(diag::kNoWay));
}

TEST(Derive, RunsFindWrongCallbacks) {
  const auto run = [](const char* told, const char* real) {
    Derivation derivation("toy", replaced(replaced(toy(), ": toy_cheap", told), "outcomes: [{name: applied}]",
                                          "outcomes: [{name: applied}, {name: other}]"));
    derivation.run({"3", real});
    return derivation.rendered();
  };
  EXPECT_NE(run(": toy_cheap", "dear").find("[derive-underestimated]"), std::string::npos);
  EXPECT_NE(run(": toy_dear", "cheap").find("[derive-overestimated]"), std::string::npos);
  EXPECT_NE(run(": toy_cheap", "other").find("ended in outcome 'other', which no way"), std::string::npos);
  EXPECT_NE(run(": toy_cheap", "k").find("counted PCV 'k', which no way"), std::string::npos);
  EXPECT_NE(run(": toy_cheap", "k").find("[derive-other-way]"), std::string::npos);
}

}  // namespace
}  // namespace perfpact::derive
