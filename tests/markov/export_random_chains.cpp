// export_random_chains DIRECTORY COUNT: writes COUNT random chains, with and without unknown rows, for PRISM.
#include <fmt/format.h>

#include <cstdlib>

#include "markov/made_workload.h"
#include "markov/prism_explicit.h"

int main(int argc, char** argv) {
  using namespace perfpact;
  if (argc != 3) return 2;
  const int count = std::atoi(argv[2]);
  for (int seed = 0; seed < count; ++seed) {
    made::Workload made;
    made::fill_randomly(made, static_cast<std::uint64_t>(seed), static_cast<std::size_t>(seed % 3));
    const cost::CostModel size = made::model("per-size", made::kPerSize, made.diagnostics);
    const cost::CostModel cycles = made::model("cycles", made::kCycles, made.diagnostics);
    std::vector<cost::Prediction> predictions;
    predictions.push_back(made.price(size));
    predictions.push_back(made.price(cycles));
    const auto chain = markov::Chain::build(made.cases, made.workload, predictions);
    const auto exported = markov::export_prism_explicit(
        chain, fmt::format("random chain {}", seed), fmt::format("{}/{}", argv[1], seed), made.diagnostics);
    if (!exported) {
      fmt::print(stderr, "{}", made.diagnostics.render());
      return 1;
    }
  }
  return 0;
}
