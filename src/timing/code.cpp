#include "timing/code.h"

#include <fmt/format.h>

#include <algorithm>

#include "x86/decode.h"

namespace perfpact::timing {

std::vector<std::uint8_t> code_at(const process::Process& process, std::uint64_t address) {
  constexpr std::uint64_t kPage = 4096;
  std::vector<std::uint8_t> bytes(x86::kLongestInstruction);
  if (process.read(address, bytes)) return bytes;
  bytes.resize(std::min<std::uint64_t>(bytes.size(), kPage - address % kPage));
  if (!process.read(address, bytes)) bytes.clear();
  return bytes;
}

bool is_further_iteration(const explore::NativeExplorer& explorer, const explore::NativePath& path,
                          std::size_t i) {
  return i > 0 && path.sites[i - 1] == path.sites[i] && explorer.site(path.sites[i]).repeats;
}

std::string name_of_latency(const lift::Site& site) {
  std::string name = site.mnemonic;
  std::ranges::replace(name, ' ', '_');
  return fmt::format("latency.{}", name);
}

}  // namespace perfpact::timing
