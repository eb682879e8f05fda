#include "smt/rules.h"

#include <gtest/gtest.h>

#include <map>

#include "terms.h"

namespace perfpact::smt {
namespace {

using test::for_all_models;
using test::Terms;

constexpr int kChecksPerRule = 12;
constexpr int kAttempts = 3'000;  // at least
constexpr int kMostAttempts = 500'000;

bool all_constant(const Node& node) {
  return std::all_of(node.operands.begin(), node.operands.begin() + node.arity,
                     [](Expr e) { return e.is_constant(); });
}

void expect_equal_values(Context& context, Terms& terms, const Node& node, Expr result, const char* rule) {
  const Expr before = context.verbatim(node);
  ASSERT_EQ(before.width(), result.width()) << rule << " on " << to_string(before);
  // An array is what it gives when it is read.
  const Expr index = context.symbol("index", test::kIndexWidth);
  auto symbols = terms.symbols();
  if (before.is_array()) symbols.push_back(index);
  const auto read = [&](Expr e) {
    Node select{Op::Select, 2, e.width()};
    select.operands = {e, index, Expr()};
    return e.is_array() ? context.verbatim(select) : e;
  };
  bool equal = true;
  for_all_models(symbols, [&](const auto& model) {
    Evaluation evaluation(model);
    equal = equal && evaluation.value(read(before)) == evaluation.value(read(result));
  });
  EXPECT_TRUE(equal) << rule << "\n  " << to_string(before) << "\n  became " << to_string(result);
}

// Every rule is tried by itself on random candidates until it has matched often enough; one that never
// matches fails.
TEST(Rules, EachRuleMatchesAndKeepsAllValues) {
  for (auto op = static_cast<std::size_t>(Op::Not); op < kOps; ++op) {
    const auto rules = rules_for(static_cast<Op>(op));
    std::map<const Rule*, int> checked;
    std::unique_ptr<Context> context;
    std::unique_ptr<Terms> terms;
    std::size_t matched = 0;
    for (int attempt = 0; attempt < (matched < rules.size() ? kMostAttempts : kAttempts); ++attempt) {
      if (attempt % 12 == 0) {
        context = std::make_unique<Context>();
        terms = std::make_unique<Terms>(*context, 1 + attempt / 12 % 3, true,
                                        static_cast<std::uint64_t>(attempt) * 64 + op);
        const Op other = terms->random_op();
        terms->favour({static_cast<Op>(op), Op::Not, other, terms->random_op()});
        terms->grow(14);
      }
      Node node = terms->shape(static_cast<Op>(op));
      if (node.arity == 0) continue;
      if (is_commutative(node.op) && node.operands[0].is_constant()) {
        std::swap(node.operands[0], node.operands[1]);
      }
      if (all_constant(node) && node.op != Op::Select) continue;
      for (const Rule& rule : rules) {
        if (checked[&rule] >= kChecksPerRule) continue;
        const Expr result = rule.apply(*context, Expr(&node));
        if (!result) continue;
        expect_equal_values(*context, *terms, node, result, rule.text);
        if (HasFatalFailure()) return;
        matched += ++checked[&rule] == 1 ? 1 : 0;
      }
    }
    for (const Rule& rule : rules) EXPECT_GT(checked[&rule], 0) << rule.text << " never matched";
  }
}

TEST(Rules, SimplifyingKeepsAllValuesOfRandomTerms) {
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    Context context;
    Terms terms(context, 1 + seed % 3, false, seed);
    terms.grow(30);
    for (const std::uint32_t width : {1U, 2U, 3U, 5U, 8U}) {
      const Expr before = terms.any(width);
      if (!before) continue;
      const Expr after = Importer(context)(before);
      EXPECT_EQ(Importer(context)(after), after) << "not in normal form: " << to_string(after);
      bool equal = true;
      for_all_models(terms.symbols(), [&](const auto& model) {
        Evaluation evaluation(model);
        equal = equal && evaluation.value(before) == evaluation.value(after);
      });
      EXPECT_TRUE(equal) << to_string(before) << "\nbecame " << to_string(after);
    }
  }
}

TEST(Rules, FieldsOfPacketsBecomeTheirBytes) {
  Context c;
  const Expr b0 = c.symbol("b0", 8);
  const Expr b1 = c.symbol("b1", 8);
  // Two bytes put together as C does it.
  const Expr shifted = c.shl(c.zext(b0, 32), c.constant(32, 8));
  const Expr word = c.or_(shifted, c.zext(b1, 32));
  EXPECT_EQ(word, c.zext(c.concat(b0, b1), 32));
  EXPECT_EQ(c.eq(word, c.constant(32, 0x0800)), c.and_(c.eq(b0, c.constant(8, 8)), c.eq(b1, c.zero(8))));
  EXPECT_EQ(c.extract(7, 0, word), b1);
  EXPECT_TRUE(c.ult(word, c.constant(32, 0x10000)).is_true());
  // A prefix of an address.
  const Expr address = c.symbol("address", 32);
  EXPECT_EQ(c.eq(c.and_(address, c.constant(32, 0xffffff00)), c.constant(32, 0x0a000100)),
            c.eq(c.extract(31, 8, address), c.constant(24, 0x0a0001)));
}

TEST(Rules, WideTermsFold) {
  Context c;
  const Expr packet = c.symbol("packet", 12000);
  const Expr high = c.extract(11999, 6000, packet);
  const Expr low = c.extract(5999, 0, packet);
  EXPECT_EQ(c.concat(high, low), packet);
  EXPECT_EQ(c.extract(6007, 5992, c.concat(high, low)), c.extract(6007, 5992, packet));
  EXPECT_EQ(c.lshr(c.shl(packet, c.constant(12000, 8)), c.constant(12000, 8)),
            c.zext(c.extract(11991, 0, packet), 12000));
  EXPECT_TRUE(c.sub(packet, packet).value().is_zero());
}

}  // namespace
}  // namespace perfpact::smt
