#include "smt/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "smt/rules.h"
#include "smt/semantics.h"

namespace perfpact::smt {
namespace {

constexpr std::uint32_t kBlock = 1024;  // nodes allocated at once

constexpr std::array<std::string_view, kOps> kNames{
    "constant", "symbol", "bvnot",  "bvneg",   "bvadd",       "bvsub", "bvmul",  "bvudiv", "bvurem",
    "bvsdiv",   "bvsrem", "bvand",  "bvor",    "bvxor",       "bvshl", "bvlshr", "bvashr", "=",
    "bvult",    "bvslt",  "concat", "extract", "sign_extend", "ite",   "select", "store",  "const-array"};

std::uint64_t hash_of(const Node& node) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(node.op) << 32 | node.width, node.index_width);
  if (node.op == Op::Symbol) {
    for (const char c : *node.name) hash = mix(hash, static_cast<unsigned char>(c));
    return hash;
  }
  if (node.op == Op::Constant) return mix(hash, node.value->hash());
  hash = mix(hash, node.number);
  for (std::size_t i = 0; i < node.arity; ++i) hash = mix(hash, node.operands[i].hash());
  return hash;
}

bool same_structure(const Node& a, const Node& b) {
  if (a.hash != b.hash || a.op != b.op || a.width != b.width || a.index_width != b.index_width) return false;
  if (a.op == Op::Constant) return *a.value == *b.value;
  return a.number == b.number && a.operands == b.operands;
}

void order_operands(Node& node) {
  if (!is_commutative(node.op)) return;
  const auto rank = [](Expr e) { return std::tuple(e.is_constant(), e.hash(), e.id()); };
  if (rank(node.operands[1]) < rank(node.operands[0])) std::swap(node.operands[0], node.operands[1]);
}

bool is_vector(Expr expr, std::uint32_t width) {
  return !expr.is_array() && expr.width() == width;
}

void check_array_access(const Node& node) {
  const Expr array = node.operands[0];
  PERFPACT_CHECK(array.is_array() && is_vector(node.operands[1], array.index_width()),
                 "{}: the index does not fit the array", to_string(node.op));
  PERFPACT_CHECK(node.op == Op::Select || is_vector(node.operands[2], array.width()),
                 "store: the element does not fit the array");
}

// Gives the node the shape that follows from its operands, and checks these.
void infer_shape(Node& node) {
  const Expr a = node.operands[0];
  const Expr b = node.operands[1];
  switch (node.op) {
    case Op::Extract:
    case Op::SExt:
    case Op::ConstantArray:
      return;  // their makers did
    case Op::Not:
    case Op::Neg:
      node.width = a.width();
      break;
    case Op::Eq:
    case Op::Ult:
    case Op::Slt:
      node.width = 1;
      PERFPACT_CHECK(is_vector(b, a.width()), "{} of widths {}, {}", to_string(node.op), a.width(),
                     b.width());
      break;
    case Op::Concat:
      node.width = a.width() + b.width();
      break;
    case Op::Ite:
      node.width = b.width();
      node.index_width = b.index_width();
      PERFPACT_CHECK(is_vector(a, 1) && node.operands[2].width() == b.width() &&
                         node.operands[2].index_width() == b.index_width(),
                     "ite of widths {}, {}, {}", a.width(), b.width(), node.operands[2].width());
      return;
    case Op::Select:
      check_array_access(node);
      node.width = a.width();
      return;
    case Op::Store:
      check_array_access(node);
      node.width = a.width();
      node.index_width = a.index_width();
      return;
    default:
      node.width = a.width();
      PERFPACT_CHECK(is_vector(b, a.width()), "{} of widths {}, {}", to_string(node.op), a.width(),
                     b.width());
  }
  PERFPACT_CHECK(!a.is_array() && (!b || !b.is_array()), "{} of an array", to_string(node.op));
}

bool is_foldable(const Node& node) {
  if (node.op == Op::Select || node.op == Op::Store || node.op == Op::ConstantArray) return false;
  return std::all_of(node.operands.begin(), node.operands.begin() + node.arity,
                     [](Expr e) { return e.is_constant(); });
}

}  // namespace

std::string_view to_string(Op op) {
  return kNames[static_cast<std::size_t>(op)];
}

Value value_of(Expr expr, std::span<const Value> operands) {
  const bool wide = expr.width() > kWordBits ||
                    std::any_of(operands.begin(), operands.end(), [](const Value& v) { return v.is_wide(); });
  if (!wide) {
    const auto word = [&](std::size_t i) { return i < operands.size() ? operands[i].word() : 0; };
    return Value(expr.width(), Semantics<std::uint64_t>::apply(expr, word(0), word(1), word(2)));
  }
  const auto number = [&](std::size_t i) { return i < operands.size() ? operands[i].number() : Integer(0); };
  return Value(expr.width(), Semantics<Integer>::apply(expr, number(0), number(1), number(2)));
}

Context::Context() : table_(1024, nullptr) {}
Context::~Context() = default;

Expr Context::constant(const Value& value) {
  PERFPACT_CHECK(value.width() > 0, "a constant of no width");
  Node node;
  node.op = Op::Constant;
  node.width = value.width();
  node.value = &value;
  return intern(node);
}

Expr Context::symbol(std::string_view name, std::uint32_t width) {
  return named(name, 0, width);
}

Expr Context::array(std::string_view name, std::uint32_t index_width, std::uint32_t width) {
  PERFPACT_CHECK(index_width >= 1 && index_width <= kWordBits, "an array index of {} bits", index_width);
  return named(name, index_width, width);
}

Expr Context::named(std::string_view name, std::uint32_t index_width, std::uint32_t width) {
  PERFPACT_CHECK(width > 0, "symbol {} of no width", name);
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    const Expr symbol = found->second;
    PERFPACT_CHECK(symbol.width() == width && symbol.index_width() == index_width, "symbol {} of two types",
                   name);
    return symbol;
  }
  Node node;
  node.op = Op::Symbol;
  node.width = width;
  node.index_width = index_width;
  node.number = symbols();
  node.name = &names_.emplace_back(name);
  const Expr symbol = intern(node);
  symbols_.push_back(symbol);
  by_name_.emplace(*node.name, symbol);
  return symbol;
}

Expr Context::extract(std::uint32_t high, std::uint32_t low, Expr a) {
  PERFPACT_CHECK(low <= high && high < a.width() && !a.is_array(), "bits {}..{} of {}", high, low, a.width());
  Node node;
  node.op = Op::Extract;
  node.arity = 1;
  node.width = high - low + 1;
  node.number = low;
  node.operands[0] = a;
  return make(node);
}

Expr Context::zext(Expr a, std::uint32_t width) {
  PERFPACT_CHECK(width >= a.width(), "zero extension of {} to {} bits", a.width(), width);
  return width == a.width() ? a : concat(zero(width - a.width()), a);
}

Expr Context::sext(Expr a, std::uint32_t width) {
  PERFPACT_CHECK(width >= a.width() && !a.is_array(), "sign extension of {} to {} bits", a.width(), width);
  Node node;
  node.op = Op::SExt;
  node.arity = 1;
  node.width = width;
  node.operands[0] = a;
  return make(node);
}

Expr Context::constant_array(std::uint32_t index_width, Expr element) {
  PERFPACT_CHECK(index_width >= 1 && index_width <= kWordBits, "an array index of {} bits", index_width);
  Node node;
  node.op = Op::ConstantArray;
  node.arity = 1;
  node.width = element.width();
  node.index_width = index_width;
  node.operands[0] = element;
  return make(node);
}

Expr Context::make(Op op, std::initializer_list<Expr> operands) {
  Node node;
  node.op = op;
  for (const Expr operand : operands) node.operands[node.arity++] = operand;
  infer_shape(node);
  return make(node);
}

Expr Context::make(Node node) {
  if (is_foldable(node)) {
    std::array<Value, 3> values;
    for (std::size_t i = 0; i < node.arity; ++i) values[i] = node.operands[i].value();
    return constant(value_of(Expr(&node), std::span(values.data(), node.arity)));
  }
  order_operands(node);
  node.hash = hash_of(node);
  if (const Expr known = rewritten_.find(node)) return known;
  if (const Expr result = rewrite(*this, Expr(&node))) {
    rewritten_.keep(node, result);
    return result;
  }
  const auto facts = [&](std::size_t i) { return i < node.arity ? node.operands[i].facts() : Facts::none(); };
  node.facts = transfer(Expr(&node), facts(0), facts(1), facts(2));
  if (node.facts.is_fixed()) return constant(node.width, node.facts.low);
  return intern(node);
}

Expr Rewritten::find(const Node& node) const {
  const Entry& entry = entries_[node.hash % entries_.size()];
  return entry.result && same_structure(entry.node, node) ? entry.result : Expr();
}

void Rewritten::keep(const Node& node, Expr result) {
  if (++kept_ > entries_.size() && entries_.size() < kMost) grow();
  entry(node) = {node, result};
}

void Rewritten::grow() {
  const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(entries_.size() * 4));
  for (const Entry& one : before)
    if (one.result) entry(one.node) = one;
  kept_ = 0;
}

Expr Context::verbatim(const Node& shape) {
  Node node = shape;
  node.facts = {};
  return intern(node);
}

Expr Context::intern(Node node) {
  node.hash = hash_of(node);
  if (2 * (nodes_ + 1) > table_.size()) grow();
  std::size_t slot = node.hash & (table_.size() - 1);
  for (; table_[slot] != nullptr; slot = (slot + 1) & (table_.size() - 1)) {
    if (same_structure(*table_[slot], node)) return Expr(table_[slot]);
  }
  if (nodes_ % kBlock == 0) blocks_.push_back(std::make_unique<Node[]>(kBlock));
  Node& stored = blocks_.back()[nodes_ % kBlock];
  node.id = nodes_++;
  if (node.op == Op::Constant) node.value = &values_.emplace_back(*node.value);
  if (node.facts.width == 0) {
    const auto facts = [&](std::size_t i) {
      return i < node.arity ? node.operands[i].facts() : Facts::none();
    };
    node.facts = transfer(Expr(&node), facts(0), facts(1), facts(2));
  }
  stored = node;
  table_[slot] = &stored;
  return Expr(&stored);
}

void Context::grow() {
  std::vector<const Node*> larger(table_.size() * 2, nullptr);
  for (const Node* node : table_) {
    if (node == nullptr) continue;
    std::size_t slot = node->hash & (larger.size() - 1);
    while (larger[slot] != nullptr) slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = node;
  }
  table_ = std::move(larger);
}

Expr Context::rebuild(Expr root, const std::function<Expr(Expr)>& replace) {
  NodeMap<Expr> done;
  return rebuild(root, replace, done);
}

Expr Context::rebuild(Expr root, const std::function<Expr(Expr)>& replace, NodeMap<Expr>& done) {
  const auto rebuilt = [&](Expr expr) {
    if (const Expr replacement = replace(expr)) return replacement;
    if (expr.is(Op::Constant)) return constant(expr.value());
    if (expr.is(Op::Symbol)) return named(expr.name(), expr.index_width(), expr.width());
    Node node;
    node.op = expr.op();
    node.arity = static_cast<std::uint8_t>(expr.arity());
    node.width = expr.width();
    node.index_width = expr.index_width();
    node.number = expr.low();
    for (std::size_t i = 0; i < expr.arity(); ++i) node.operands[i] = *done.find(expr[i]);
    return make(node);
  };
  post_order(root, [&](Expr e) { return done.find(e) != nullptr; }, [&](Expr e) { done.set(e, rebuilt(e)); });
  return *done.find(root);
}

Expr Importer::operator()(Expr expr) {
  return to_.rebuild(expr, [](Expr) { return Expr(); }, done_);
}

std::string to_string(Expr expr) {
  if (expr.is_constant()) return expr.value().to_string();
  if (expr.is(Op::Symbol)) return expr.name();
  std::string text = fmt::format("({}", to_string(expr.op()));
  if (expr.is(Op::Extract)) text += fmt::format("[{}:{}]", expr.low() + expr.width() - 1, expr.low());
  if (expr.is(Op::SExt)) text += fmt::format("[{}]", expr.width());
  for (std::size_t i = 0; i < expr.arity(); ++i) text += " " + to_string(expr[i]);
  return text + ")";
}

}  // namespace perfpact::smt
