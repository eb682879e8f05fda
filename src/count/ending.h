// How a program that was counted ended.
#pragma once
#include "count/count.h"
#include "process/run_to.h"

namespace perfpact::count {

/// Reports where the program ended as faulty after so many calls of its entry; `output` is what it wrote.
[[nodiscard]] Result<void> report_end(const Options& options, const process::RunEnd& end, std::size_t calls,
                                      const std::string& output, Diagnostics& diagnostics);

}  // namespace perfpact::count
