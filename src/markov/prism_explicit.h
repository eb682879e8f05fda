// Export of a chain for the PRISM model checker, in its explicit file formats.
//
//   DIR/README.txt        the commands, the reward structures, the labels
//   DIR/model.tra         the chain: a DTMC, or an MDP where the workload leaves probabilities unknown
//   DIR/model.sta         its states: (state, step)
//   DIR/model.lab         its labels: done, sent, dropped, path_ID, applied_TABLE, hit_TABLE, action_ACTION
//   ... DIR/model1.srew ...   one reward structure per cost model and scenario, on states
//   DIR/model_on_transitions1.trew ...   the same rewards, on transitions
//   DIR/properties.pctl   every estimator and every label as a property, with its exact result above it
//   DIR/envelope.*        the same graph with the probabilities forgotten (MDP, every branch a choice of its
//                         own) and envelope.pctl: the least and the greatest cost over all inputs
//   DIR/exact/            all of these with fractions in place of decimals, for PRISM's exact engine; it does
//   not
//                         see imported labels (4.10), so its properties files define them
//   DIR/states.txt        what each state stands for, with its place in the program
//   DIR/model.dot         the chain as a picture
//
// Rewards: an event's cost is earned once per visit of its state. The .srew files say so directly, the .trew
// files put the same cost on every transition that leaves the state. Both are complete, so one of the two is
// to be loaded and never the sum of them; their structures have different names (`NAME`,
// `NAME_on_transitions`), which makes PRISM refuse to add them up. `prism model.all` loads the .srew files.
//
// Numbers in DIR are decimals of 25 digits, more than PRISM's doubles hold. Formats: PRISM manual, "Explicit
// Model Files"; read by PRISM 4.8 and later. Tested by tests/markov/prism_explicit_test.cpp, and against
// PRISM itself by tests/markov/prism_agrees.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "markov/chain.h"

namespace perfpact::markov {

struct ExportedFile {
  std::string name;  // relative to the directory
  std::string text;
};

/// The files of an export. `title` names program and workload.
[[nodiscard]] std::vector<ExportedFile> prism_files(const Chain& chain, const SourceManager& sources,
                                                    std::string_view title);

/// Writes the files to a directory: all of them or none. The directory must not exist, be empty, or hold
/// nothing but an earlier export, which is replaced. Reports what stands in the way.
[[nodiscard]] Result<void> export_prism_explicit(const Chain& chain, std::string_view title,
                                                 const std::filesystem::path& directory,
                                                 Diagnostics& diagnostics);

}  // namespace perfpact::markov
