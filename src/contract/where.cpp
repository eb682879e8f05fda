#include "contract/where.h"

#include <algorithm>

#include "base/spelling.h"
#include "contract/diagnostics.h"
#include "formula/expression.h"

namespace perfpact::contract {
namespace {

using explore::Entry;
using formula::Expression;
using formula::Operator;
using smt::Expr;

constexpr std::uint32_t kTermWidth = 64;

class Translation {
 public:
  Translation(smt::Context& context, const formula::Formula& condition,
              const explore::NativeExplorer& explorer, const explore::NativePath& path,
              const std::map<std::string, const library::Method*>& calls, Diagnostics& diagnostics)
      : context_(context),
        names_(condition.names()),
        explorer_(explorer),
        path_(path),
        calls_(calls),
        diagnostics_(diagnostics) {}

  std::optional<Expr> truth(const Expression& e) {
    switch (e.op) {
      case Operator::And:
      case Operator::Or: {
        Expr all = context_.boolean(e.op == Operator::And);
        for (const formula::Operand& operand : e.operands) {
          const std::optional<Expr> one = truth(*operand.expression);
          if (!one) return std::nullopt;
          all = e.op == Operator::And ? context_.and_(all, *one) : context_.or_(all, *one);
        }
        return all;
      }
      case Operator::Not: {
        const std::optional<Expr> one = truth(*e.operands[0].expression);
        return one ? std::optional(context_.not_(*one)) : std::nullopt;
      }
      case Operator::Name:
        return verdict(e);
      case Operator::Less:
      case Operator::LessEqual:
      case Operator::Greater:
      case Operator::GreaterEqual:
      case Operator::Equal:
      case Operator::NotEqual:
        return comparison(e);
      default:
        diagnostics_.report(diag::kWhereForm, e.span, "arithmetic");
        return std::nullopt;
    }
  }

 private:
  const std::string& name(const Expression& e) const { return names_[e.name_index].name; }

  std::optional<Expr> verdict(const Expression& e) {
    const bool is_error = path_.witness.verdict.error.has_value();
    const Entry::Meaning meaning = path_.witness.verdict.meaning;
    if (name(e) == "dropped") return context_.boolean(!is_error && meaning == Entry::Meaning::Dropped);
    if (name(e) == "flood") return context_.boolean(!is_error && meaning == Entry::Meaning::Flood);
    if (name(e) == "sent") return context_.boolean(!is_error && meaning == Entry::Meaning::Sent);
    unknown(e);
    return std::nullopt;
  }

  void unknown(const Expression& e) {
    std::vector<std::string> known{"port", "length", "now_ns", "dropped", "flood", "sent"};
    for (const auto& [label, method] : calls_) known.push_back(label);
    diagnostics_.report(diag::kWhereTerm, e.span, name(e), did_you_mean(name(e), known));
  }

  std::optional<Expr> comparison(const Expression& e) {
    const Expression& left = *e.operands[0].expression;
    const Expression& right = *e.operands[1].expression;
    if (left.op == Operator::Name && calls_.contains(name(left))) return outcome(e, left, right);
    const std::optional<Expr> a = number(left);
    const std::optional<Expr> b = a ? number(right) : std::nullopt;
    if (!b) return std::nullopt;
    switch (e.op) {
      case Operator::Less:
        return context_.ult(*a, *b);
      case Operator::LessEqual:
        return context_.ule(*a, *b);
      case Operator::Greater:
        return context_.ult(*b, *a);
      case Operator::GreaterEqual:
        return context_.ule(*b, *a);
      case Operator::Equal:
        return context_.eq(*a, *b);
      default:
        return context_.ne(*a, *b);
    }
  }

  std::optional<Expr> outcome(const Expression& e, const Expression& left, const Expression& right) {
    const library::Method& method = *calls_.find(name(left))->second;
    if ((e.op != Operator::Equal && e.op != Operator::NotEqual) || right.op != Operator::Name) {
      diagnostics_.report(diag::kWhereForm, e.span,
                          fmt::format("this of '{}', which is == or != an outcome", name(left)));
      return std::nullopt;
    }
    std::vector<std::string> names;
    for (const library::Outcome& one : method.outcomes) names.push_back(one.name);
    if (std::ranges::find(names, name(right)) == names.end()) {
      diagnostics_.report(diag::kWhereOutcome, right.span, name(left), name(right),
                          did_you_mean(name(right), names));
      return std::nullopt;
    }
    const auto call = std::ranges::find(path_.calls, name(left), &explore::NativeCall::label);
    const bool is_it = call != path_.calls.end() && call->outcome->name == name(right);
    return context_.boolean(is_it == (e.op == Operator::Equal));
  }

  std::optional<Expr> number(const Expression& e) {
    if (e.op == Operator::Number && is_integer(e.number) && e.number >= 0)
      return context_.constant(kTermWidth, floor(e.number));
    if (e.op != Operator::Name) {
      diagnostics_.report(diag::kWhereForm, e.span, "arithmetic");
      return std::nullopt;
    }
    for (const Expr symbol : {explorer_.port(), explorer_.length(), explorer_.now_ns()})
      if (symbol.name() == name(e)) return context_.zext(symbol, kTermWidth);
    unknown(e);
    return std::nullopt;
  }

  smt::Context& context_;
  const std::vector<formula::Formula::Name>& names_;
  const explore::NativeExplorer& explorer_;
  const explore::NativePath& path_;
  const std::map<std::string, const library::Method*>& calls_;
  Diagnostics& diagnostics_;
};

}  // namespace

Result<smt::Expr> where(smt::Context& context, const formula::Formula& condition,
                        const explore::NativeExplorer& explorer, const explore::NativePath& path,
                        const std::map<std::string, const library::Method*>& calls,
                        Diagnostics& diagnostics) {
  const std::optional<Expr> truth =
      Translation(context, condition, explorer, path, calls, diagnostics).truth(condition.root());
  if (!truth) return std::unexpected(diagnostics.already_reported());
  return *truth;
}

}  // namespace perfpact::contract
