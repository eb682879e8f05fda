// A made-up prediction for the tests of the views: one table that hits or misses.
#pragma once
#include <vector>

#include "markov/made_workload.h"
#include "report/view.h"

namespace perfpact::made {

struct View : Workload {
  View() : tables_(schemas()) {
    start = site(program::EventKind::Start, 1, "normal");
    parser = site(program::EventKind::ParserState, 3, "start");
    fib = site(program::EventKind::TableApply, 7, "ingress.fib", "ternary");
    action = site(program::EventKind::ActionRun, 7, "ingress.forward");
    no_action = site(program::EventKind::ActionRun, 7, "NoAction");
    tables_.finish(diagnostics);
  }
  std::vector<program::Event> hit() const {
    return {{start, {}}, {parser, {}}, {fib, {50000, 44, 1, 20000, 0}}, {action, {9}}};
  }
  std::vector<program::Event> miss() const {
    return {{start, {}}, {parser, {}}, {fib, {50000, 44, 0, 50000, 0}}, {no_action, {0}}};
  }
  void price_with(const std::string& name, const char* text) {
    models_.push_back(model(name, text, diagnostics));
    predictions_.push_back(price(models_.back()));
  }
  report::PredictionView view() const { return {"made.p4", workload, cases, predictions_, tables_, sources}; }

  const program::EventSite *start, *parser, *fib, *action, *no_action;

 private:
  static std::vector<tables::TableSchema> schemas() {
    tables::TableSchema fib;
    fib.name = "ingress.fib";
    fib.keys.push_back({"hdr.ipv4.dstAddr", 32, tables::MatchKind::Exact, {}});
    fib.actions.push_back({"NoAction", {}, false, false, {}});
    return {fib};
  }
  std::deque<cost::CostModel> models_;
  std::vector<cost::Prediction> predictions_;
  tables::TableSet tables_;
};

/// Hits a third of the time.
inline void fill(View& made) {
  made.add_row("known route", Rational(1, 3));
  made.add_row("no route", Rational(2, 3));
  made.add_case(made.hit(), program::Sent{1}, {{0, Rational(1)}});
  made.add_case(made.miss(), program::Dropped{}, {{1, Rational(1)}});
  made.finish();
}

}  // namespace perfpact::made
