#include "smt/constraints.h"

#include <algorithm>

#include "base/check.h"

namespace perfpact::smt {

struct Constraints::Link {
  Expr expr;
  Constraints before;
  std::size_t size = 0;
  std::shared_ptr<const Model> model;
};

// A long list that nobody else holds is freed link by link, not by recursion.
Constraints::~Constraints() {
  while (link_ && link_.use_count() == 1) {
    auto next = std::move(link_->before.link_);
    link_ = std::move(next);
  }
}

Constraints Constraints::with_single(Expr bit) const {
  Constraints result;
  result.link_ = std::make_shared<Link>(bit, *this, size() + 1, nullptr);
  return result;
}

Constraints Constraints::with(Context& context, Expr bit) const {
  PERFPACT_CHECK(bit.width() == 1 && !bit.is_array(), "a constraint of {} bits", bit.width());
  Constraints result = *this;
  std::vector<Expr> pending{bit};
  while (!pending.empty()) {
    const Expr next = pending.back();
    pending.pop_back();
    if (next.is(Op::And)) {
      pending.insert(pending.end(), {next[1], next[0]});
    } else if (next.is(Op::Not) && next[0].is(Op::Or)) {
      pending.insert(pending.end(), {context.not_(next[0][1]), context.not_(next[0][0])});
    } else if (!next.is_true()) {
      result = result.with_single(next);
    }
  }
  return result;
}

std::size_t Constraints::size() const {
  return link_ ? link_->size : 0;
}

Expr Constraints::last() const {
  return link_->expr;
}

Constraints Constraints::before() const {
  return link_->before;
}

std::vector<Expr> Constraints::to_vector() const {
  std::vector<Expr> all;
  all.reserve(size());
  for (const Link* link = link_.get(); link != nullptr; link = link->before.link_.get()) {
    all.push_back(link->expr);
  }
  std::reverse(all.begin(), all.end());
  return all;
}

std::shared_ptr<const Model> Constraints::known_model() const {
  return link_ ? link_->model : nullptr;
}

void Constraints::note_model(std::shared_ptr<const Model> model) const {
  if (link_) link_->model = std::move(model);
}

}  // namespace perfpact::smt
