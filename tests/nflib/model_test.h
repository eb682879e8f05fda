// Holds a structure to an obvious model under random operations; what fails is shrunk to a short list.
//
//   struct Operation { ...; std::string text() const; };
//   EXPECT_TRUE(agrees_with_model<Operation>(Plan{.sequences = 100, .operations = 10'000, .seed = 1},
//     [](Random& random) { return Operation{...}; },
//     [](std::span<const Operation> operations) -> std::optional<std::string> { ... }));
//
// The second function starts from a fresh structure and a fresh model, runs the operations on both and says
// what they disagree on, or nothing. It is a function of the operations alone: shrinking runs it on parts of
// the list, so every list of operations has to be allowed (one without sense is skipped). The message of a
// failure holds the seed, the difference and the operations that are left: none of them can be left out.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace perfpact::nflib {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  // 0 .. bound - 1; bound is not 0.
  uint64_t below(uint64_t bound) { return engine_() % bound; }
  uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

struct Plan {
  int sequences;
  int operations;  // in each sequence
  uint64_t seed;   // of the first sequence; the others have the next
};

template <class Operation>
using Check = std::function<std::optional<std::string>(std::span<const Operation>)>;

// Leaves out ever smaller parts for as long as CHECK still fails; at the end no single operation can go.
template <class Operation>
std::vector<Operation> shrink(std::vector<Operation> operations, const Check<Operation>& check) {
  for (size_t part = operations.size(); part > 0;) {
    bool shorter = false;
    for (size_t from = 0; from < operations.size();) {
      std::vector<Operation> rest(operations.begin(), operations.begin() + from);
      rest.insert(rest.end(), operations.begin() + std::min(from + part, operations.size()),
                  operations.end());
      if (check(rest)) {
        operations = std::move(rest);
        shorter = true;
      } else {
        from += part;
      }
    }
    if (part > 1) {
      part /= 2;
    } else if (!shorter) {
      break;
    }
  }
  return operations;
}

template <class Operation>
testing::AssertionResult agrees_with_model(const Plan& plan,
                                           const std::function<Operation(Random&)>& generate,
                                           const Check<Operation>& check) {
  for (uint64_t seed = plan.seed; seed < plan.seed + plan.sequences; seed++) {
    Random random(seed);
    std::vector<Operation> operations;
    for (int i = 0; i < plan.operations; i++) operations.push_back(generate(random));
    if (!check(operations)) continue;

    operations = shrink(std::move(operations), check);
    std::string text = fmt::format("seed {}: {}\n", seed, *check(operations));
    for (const Operation& operation : operations) text += fmt::format("  {}\n", operation.text());
    return testing::AssertionFailure() << text;
  }
  return testing::AssertionSuccess();
}

}  // namespace perfpact::nflib
