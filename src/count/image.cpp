#include "count/image.h"

#include <algorithm>

#include "count/diagnostics.h"

namespace perfpact::count {

void Image::read(const process::Modules& modules, const std::vector<process::Mapping>& mappings,
                 std::uint64_t entry, Diagnostics& diagnostics) {
  modules_ = &modules;
  mappings_ = &mappings;
  entry_ = entry;
  methods_.clear();
  marks_.clear();
  for (const library::Pack& pack : packs_)
    for (const library::Method& method : pack.methods) add(pack, method);
  const process::PageCache memory(pid_);
  for (const process::Process::Mark& mark : process::read_marks(modules, memory, diagnostics)) {
    if (mark.kind == "method" && mark.address != entry)
      methods_.try_emplace(mark.address, Method{.function = mark.name, .is_apart = packs_.empty()});
    if (mark.kind == "pcv" || mark.kind == "outcome")
      marks_[mark.address].push_back({mark.kind == "outcome", mark.name});
  }
}

void Image::add(const library::Pack& pack, const library::Method& method) {
  const process::Places where = places();
  const std::vector<std::uint64_t> addresses = where.addresses_of(method.function);
  for (const std::uint64_t address : addresses)
    if (address != entry_)
      methods_.try_emplace(
          address,
          Method{
              .function = method.function, .pack = &pack, .listed = &method, .structure = method.structure});
  if (addresses.empty()) return;
  for (const library::Place& loop : method.loops)
    if (const auto address = where.address_of(loop.place)) marks_[*address].push_back({false, loop.name});
}

Result<void> Image::check_packs(Diagnostics& diagnostics) const {
  const process::Places where = places();
  bool is_fit = true;
  for (const library::Pack& pack : packs_) {
    const auto has = [&](const library::Method& method) {
      return !where.addresses_of(method.function).empty();
    };
    if (std::ranges::none_of(pack.methods, has)) {
      diagnostics.report(diag::kNoMethods, {}, pack.methods.size(), pack.path);
      is_fit = false;
    }
    for (const library::Method& method : pack.methods)
      for (const library::Place& loop : method.loops) {
        if (!has(method) || where.address_of(loop.place)) continue;
        diagnostics.report(diag::kUnknownPlace, loop.at, loop.place);
        is_fit = false;
      }
  }
  if (!is_fit) return std::unexpected(diagnostics.already_reported());
  return {};
}

process::Places Image::places() const {
  return {
      .find_symbols = [this](std::string_view name) { return modules_->find_symbols(name); },
      .read = [this](std::uint64_t address,
                     std::span<std::uint8_t> bytes) { return process::read_memory(pid_, address, bytes); }};
}

const std::vector<Image::Mark>* Image::marks(std::uint64_t address) const {
  const auto found = marks_.find(address);
  return found == marks_.end() ? nullptr : &found->second;
}

const Image::Method* Image::method(std::uint64_t address) const {
  const auto found = methods_.find(address);
  return found == methods_.end() ? nullptr : &found->second;
}

}  // namespace perfpact::count
