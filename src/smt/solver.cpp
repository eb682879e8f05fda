#include "smt/solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "base/check.h"
#include "smt/search.h"
#include "smt/smt2.h"
#include "smt/sums.h"

namespace perfpact::smt {
namespace {

constexpr std::size_t kMostKnown = 1 << 16;  // answers kept; then the cache starts anew

Answer sat(std::shared_ptr<const Model> model, Layer by) {
  return {Verdict::Sat, std::move(model), {}, by};
}
Answer unsat(Layer by) {
  return {Verdict::Unsat, nullptr, {}, by};
}

Answer to_answer(Z3Solver::Outcome outcome) {
  Answer answer{outcome.verdict, nullptr, std::move(outcome.reason), Layer::Z3};
  if (answer.is_sat()) answer.model = std::make_shared<Model>(std::move(outcome.model));
  return answer;
}

std::vector<Expr> with_query(std::vector<Expr> constraints, Expr query) {
  constraints.push_back(query);
  return constraints;
}

}  // namespace

std::string_view to_string(Layer layer) {
  constexpr std::array<std::string_view, kLayers> kNames{"constant",     "own model", "facts", "recent model",
                                                         "known answer", "search",    "sums",  "z3"};
  return kNames[static_cast<std::size_t>(layer)];
}

std::size_t Solver::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = key.size();
  for (const std::uint32_t id : key) hash = mix(hash, id);
  return hash;
}

Solver::Solver(Context& context, Options options)
    : context_(context), options_(std::move(options)), z3_(options_.limits) {
  if (options_.save_directory.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(options_.save_directory, error);
  if (error) save_failure_ = fmt::format("{}: {}", options_.save_directory, error.message());
}

Answer Solver::check(const Constraints& constraints, Expr query) {
  PERFPACT_CHECK(query.width() == 1 && !query.is_array(), "a query of {} bits", query.width());
  const std::uint64_t z3_checks = statistics_.z3_checks;
  Answer answer = decide(constraints, query);
  if (statistics_.z3_checks != z3_checks) answer.by = Layer::Z3;
  ++statistics_.answered[static_cast<std::size_t>(answer.by)];
  ++(answer.is_sat() ? statistics_.sat : answer.is_unsat() ? statistics_.unsat : statistics_.unknown);
  verify(constraints, query, answer);
  if (!options_.save_directory.empty()) save(constraints, query, answer);
  return answer;
}

Answer Solver::decide(const Constraints& constraints, Expr query) {
  if (query.is_false()) return unsat(Layer::Constant);
  const Answer base = model_of(constraints);
  if (base.is_unsat() || query.is_true()) return base;
  follow(constraints);
  Answer answer = extend(base.model, query);
  if (answer.is_sat() && base.is_unknown()) return base;
  return answer;
}

// A model of the whole list, from that of the longest part of it that has one.
Answer Solver::model_of(const Constraints& constraints) {
  std::vector<Constraints> unknown;
  Constraints start = constraints;
  while (!start.empty() && !start.known_model()) {
    unknown.push_back(start);
    start = start.before();
  }
  Answer answer = sat(start.empty() ? std::make_shared<const Model>() : start.known_model(), Layer::Constant);
  if (unknown.size() > 1 && options_.use_layers) {
    // A list that was made elsewhere: all at once, where that is easy.
    follow(constraints);
    Answer whole = recent_model(path_exprs_);
    if (auto model = whole.is_sat() ? nullptr : search_model(answer.model, path_exprs_, facts_)) {
      whole = sat(std::move(model), Layer::Search);
    }
    if (whole.is_sat()) {
      constraints.note_model(whole.model);
      return whole;
    }
  }
  while (!unknown.empty()) {
    const Constraints next = std::move(unknown.back());
    unknown.pop_back();
    follow(next.before());
    answer = extend(answer.model, next.last());
    if (!answer.is_sat()) return answer;
    next.note_model(answer.model);
  }
  return answer;
}

// The path's constraints and the query. `base` is a model of the path, or null where none is known; then the
// answer's model is one of the query's slice only.
Answer Solver::extend(const std::shared_ptr<const Model>& base, Expr query) {
  if (options_.use_layers) {
    if (base && evaluation(base).holds(query)) return sat(base, Layer::OwnModel);
    if (excluded_by_facts(query)) return unsat(Layer::Facts);
  }
  const Slices::Slice slice = slices_.of(path_exprs_, query);
  Answer answer = solve(base, with_query(slice.constraints, query));
  if (!answer.is_sat() || !base) return answer;
  auto merged = std::make_shared<Model>(*base);
  for (const std::uint32_t symbol : slice.symbols) merged->copy(context_.symbol(symbol), *answer.model);
  answer.model = std::move(merged);
  if (options_.use_layers) static_cast<void>(evaluation(answer.model));  // from now on a recent model
  return answer;
}

Answer Solver::solve(const std::shared_ptr<const Model>& base, std::span<const Expr> slice) {
  if (!options_.use_layers) return ask_z3(slice);
  if (Answer answer = recent_model(slice); answer.is_sat()) return answer;
  Key key;
  for (const Expr e : slice) key.push_back(e.id());
  std::sort(key.begin(), key.end());
  if (const auto found = known_.find(key); found != known_.end()) {
    Answer answer = found->second;
    answer.by = Layer::KnownAnswer;
    return answer;
  }
  if (Answer answer = search(base, slice); answer.is_sat()) return answer;
  Answer answer = excluded_by_sums(slice) ? unsat(Layer::Sums) : ask_z3(slice);
  if (known_.size() >= kMostKnown) known_.clear();
  known_.emplace(std::move(key), answer);
  return answer;
}

Answer Solver::recent_model(std::span<const Expr> slice) {
  for (const auto& recent : recent_) {
    const bool fits = std::all_of(slice.rbegin(), slice.rend(), [&](Expr e) { return recent->holds(e); });
    if (fits) return sat(recent->model(), Layer::RecentModel);
  }
  return {};
}

Answer Solver::search(const std::shared_ptr<const Model>& base, std::span<const Expr> slice) {
  const std::size_t mark = facts_.mark();
  facts_.assume(slice.back());
  auto model = search_model(base ? base : std::make_shared<const Model>(), slice, facts_);
  facts_.undo(mark);
  return model ? sat(std::move(model), Layer::Search) : Answer{};
}

bool Solver::excluded_by_sums(std::span<const Expr> slice) {
  const std::size_t mark = facts_.mark();
  facts_.assume(slice.back());
  Sums sums(facts_);
  for (const Expr constraint : slice) sums.demand(constraint);
  const bool excluded = sums.is_contradictory();
  facts_.undo(mark);
  return excluded;
}

Answer Solver::ask_z3(std::span<const Expr> slice) {
  const auto start = std::chrono::steady_clock::now();
  Answer answer = to_answer(z3_.check(slice));
  statistics_.z3_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ++statistics_.z3_checks;
  return answer;
}

bool Solver::excluded_by_facts(Expr query) {
  if (facts_.is_contradictory()) return true;
  const Facts facts = facts_.of(query);
  if (facts.is_fixed()) return facts.low == 0;
  const std::size_t mark = facts_.mark();
  facts_.assume(query);
  const bool excluded = facts_.is_contradictory();
  facts_.undo(mark);
  return excluded;
}

void Solver::follow(const Constraints& constraints) {
  std::vector<Constraints> added;
  Constraints common = constraints;
  while (!common.empty() && (common.size() > path_.size() || !(path_[common.size() - 1] == common))) {
    added.push_back(common);
    common = common.before();
  }
  if (const std::size_t kept = common.size(); kept < path_.size()) {
    facts_.undo(path_marks_[kept]);
    path_.resize(kept);
    path_exprs_.resize(kept);
    path_marks_.resize(kept);
  }
  for (auto next = added.rbegin(); next != added.rend(); ++next) {
    path_marks_.push_back(facts_.mark());
    facts_.assume(next->last());
    path_exprs_.push_back(next->last());
    path_.push_back(*next);
  }
}

Evaluation& Solver::evaluation(const std::shared_ptr<const Model>& model) {
  const auto found =
      std::find_if(recent_.begin(), recent_.end(), [&](const auto& e) { return e->model() == model; });
  if (found == recent_.end()) {
    if (recent_.size() >= std::max<std::size_t>(options_.recent_models, 1)) recent_.pop_back();
    recent_.push_front(std::make_unique<Evaluation>(model));
  } else {
    std::rotate(recent_.begin(), found, std::next(found));
  }
  return *recent_.front();
}

Answer Solver::witness(const Constraints& constraints) const {
  const std::vector<Expr> all = constraints.to_vector();
  LearnedFacts facts;
  for (const Expr constraint : all) facts.assume(constraint);
  if (facts.is_contradictory()) return unsat(Layer::Facts);
  if (auto model = search_model(std::make_shared<const Model>(), all, facts)) {
    return sat(std::move(model), Layer::Search);
  }
  return to_answer(Z3Solver(options_.limits).check(all));
}

void Solver::verify(const Constraints& constraints, Expr query, const Answer& answer) {
  if (options_.verify_models && answer.is_sat()) {
    Evaluation evaluation(answer.model);
    for (const Expr constraint : with_query(constraints.to_vector(), query)) {
      PERFPACT_CHECK(evaluation.holds(constraint), "a model ({}) does not satisfy {}", to_string(answer.by),
                     to_string(constraint));
    }
  }
  if (options_.confirm_unsat && answer.is_unsat() && answer.by != Layer::Z3) {
    const auto confirmed = z3_.check(with_query(constraints.to_vector(), query));
    PERFPACT_CHECK(confirmed.verdict != Verdict::Sat, "unsat ({}), but Z3 has a model of {}",
                   to_string(answer.by), to_string(query));
  }
}

void Solver::save(const Constraints& constraints, Expr query, const Answer& answer) {
  if (save_failure_) return;
  const std::filesystem::path path =
      std::filesystem::path(options_.save_directory) / fmt::format("query-{:06}.smt2", statistics_.queries());
  std::ofstream file(path);
  file << "; answered by: " << to_string(answer.by) << '\n'
       << to_smt2(with_query(constraints.to_vector(), query), to_string(answer.verdict));
  file.close();
  if (!file) save_failure_ = fmt::format("{}: cannot be written", path.string());
}

}  // namespace perfpact::smt
