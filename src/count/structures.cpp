#include "count/structures.h"

#include "count/words.h"
#include "process/mappings.h"

namespace perfpact::count {
namespace {

constexpr std::size_t kBlock = 4096;         // bytes of what a pointer points to that are looked at
constexpr std::size_t kMostPointers = 4096;  // that are followed

std::string with_offset(std::string_view name, std::uint64_t offset) {
  return offset == 0 ? std::string(name) : fmt::format("{}+{:#x}", name, offset);
}

}  // namespace

Structures::Structures(const Image& image) : image_(image) {}

std::string Structures::Pointer::text() const {
  return is_variable ? place : fmt::format("*({})", place);
}

const std::string& Structures::name(std::uint64_t handle) {
  const auto [at, is_new] = names_.try_emplace(handle);
  if (!is_new) return at->second;
  const std::optional<std::string> found = find(handle);
  at->second = found ? *found : fmt::format("unnamed#{}", ++unnamed_);
  return at->second;
}

std::optional<std::string> Structures::in_global(std::uint64_t address) const {
  const process::Symbol* symbol = image_.modules().symbol_of(address);
  if (symbol == nullptr || symbol->is_function || address - symbol->address >= symbol->size)
    return std::nullopt;
  return with_offset(symbol->name, address - symbol->address);
}

std::optional<std::string> Structures::find(std::uint64_t handle) const {
  if (auto name = in_global(handle)) return name;
  const std::vector<process::Mapping> mappings = process::read_mappings(image_.pid());
  const auto data = [&](std::uint64_t address) {
    const process::Mapping* mapping = process::find_mapping(mappings, address);
    return mapping != nullptr && mapping->readable && mapping->writable ? mapping : nullptr;
  };
  if (data(handle) == nullptr) return std::nullopt;
  std::vector<Pointer> pointers;
  std::optional<std::string> found;
  const process::Module& program = image_.modules().all().front();
  for (const process::Mapping& mapping : mappings) {
    const std::uint64_t begin = std::max(mapping.begin, program.begin);
    const std::uint64_t end = std::min(mapping.end, program.end);
    if (found || !mapping.writable || begin >= end) continue;
    for_words(image_.pid(), begin, end, [&](std::uint64_t at, std::uint64_t word) {
      const bool leads_out = word < program.begin || word >= program.end;
      const process::Mapping* target = leads_out ? data(word) : nullptr;
      if (target == nullptr || (word != handle && pointers.size() == kMostPointers)) return true;
      const process::Symbol* symbol = image_.modules().symbol_of(at);
      const auto place = in_global(at);
      if (!place) return true;
      pointers.push_back({*place, symbol->size == kWord, word, std::min(word + kBlock, target->end)});
      if (word == handle) found = pointers.back().text();
      return !found;
    });
  }
  return found ? found : behind(pointers, handle);
}

std::optional<std::string> Structures::behind(const std::vector<Pointer>& pointers,
                                              std::uint64_t handle) const {
  std::optional<std::string> found;
  for (const Pointer& pointer : pointers) {
    for_words(image_.pid(), pointer.target, pointer.end, [&](std::uint64_t at, std::uint64_t word) {
      if (word == handle) found = fmt::format("*({}->{:#x})", pointer.text(), at - pointer.target);
      return !found;
    });
    if (found) return found;
  }
  const Pointer* closest = nullptr;
  for (const Pointer& pointer : pointers) {
    const bool holds = pointer.target <= handle && handle < pointer.end;
    if (holds && (closest == nullptr || pointer.target > closest->target)) closest = &pointer;
  }
  if (closest == nullptr) return std::nullopt;
  return fmt::format("{}->{:#x}", closest->text(), handle - closest->target);
}

}  // namespace perfpact::count
