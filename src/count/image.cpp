#include "count/image.h"

namespace perfpact::count {

void Image::read(const process::Modules& modules, const std::vector<process::Mapping>& mappings,
                 std::uint64_t entry, Diagnostics& diagnostics) {
  modules_ = &modules;
  mappings_ = &mappings;
  entry_ = entry;
  methods_.clear();
  marks_.clear();
  const process::PageCache memory(pid_);
  for (const process::Process::Mark& mark : process::read_marks(modules, memory, diagnostics)) {
    if (mark.kind == "method" && mark.address != entry) methods_.emplace(mark.address, mark.name);
    if (mark.kind == "pcv" || mark.kind == "outcome")
      marks_[mark.address].push_back({mark.kind == "outcome", mark.name});
  }
}

const std::vector<Image::Mark>* Image::marks(std::uint64_t address) const {
  const auto found = marks_.find(address);
  return found == marks_.end() ? nullptr : &found->second;
}

const std::string* Image::method(std::uint64_t address) const {
  const auto found = methods_.find(address);
  return found == methods_.end() ? nullptr : &found->second;
}

}  // namespace perfpact::count
