// Of which binary costs are.
#pragma once
#include "derive/derive.h"

namespace perfpact::derive {

/// Empty where the file does not tell.
struct Binary {
  std::string file;  // without folders
  std::string build_id;
  std::string code_sha256;  // of the methods' hashes
  std::string compiler;
  std::string flags;
  std::string latency_cpu;  // of which processor latencies are
};

/// Of the file that has the methods, by the first of them.
[[nodiscard]] Binary binary_of(const process::Process& process, const std::vector<DerivedMethod>& derived);

/// The address at which a program starts, as Launch::entry has it: there all symbols are bound, and no code
/// of its own has run.
[[nodiscard]] std::string start_of(const std::string& program);

}  // namespace perfpact::derive
