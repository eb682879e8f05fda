// The instructions of a path, as both metrics read them.
#pragma once
#include <string>
#include <vector>

#include "explore/native/explorer.h"

namespace perfpact::timing {

/// The bytes at an address of code, as many as an instruction can have.
[[nodiscard]] std::vector<std::uint8_t> code_at(const process::Process& process, std::uint64_t address);

/// Whether the path's i-th instruction is an iteration behind the first of one that repeats.
[[nodiscard]] bool is_further_iteration(const explore::NativeExplorer& explorer,
                                        const explore::NativePath& path, std::size_t i);

/// What an instruction costs that the model does not know: `latency.rep_movsb`.
[[nodiscard]] std::string name_of_latency(const lift::Site& site);

}  // namespace perfpact::timing
