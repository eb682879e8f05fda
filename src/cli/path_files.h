// Files that `perfpact paths` writes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace perfpact::cli {

/// Writes a capture of one packet to `directory` (made where it is not there), NAME.pcap.
[[nodiscard]] Result<void> write_capture(const std::string& name, const std::vector<std::uint8_t>& packet,
                                         const std::string& directory, Diagnostics& diagnostics);

/// Writes the text to the file.
[[nodiscard]] Result<void> write_text(const std::string& text, const std::string& file,
                                      Diagnostics& diagnostics);

}  // namespace perfpact::cli
