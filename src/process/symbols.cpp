#include "process/symbols.h"

#include <filesystem>
#include <set>
#include <tuple>

#include "process/mappings.h"
#include "process/memory.h"

namespace perfpact::process {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::string_view kVdso = "[vdso]";

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// What the file's addresses are moved by: a segment's first page lies where that page of the file is mapped.
std::optional<std::uint64_t> bias_of(const Elf& elf, const std::string& path,
                                     const std::vector<Mapping>& mappings) {
  for (const Elf::Segment& segment : elf.segments()) {
    const auto mapping = std::ranges::find_if(mappings, [&](const Mapping& m) {
      return m.file == path && m.offset == segment.offset / kPage * kPage &&
             m.executable == segment.executable;
    });
    if (mapping != mappings.end()) return mapping->begin - segment.address / kPage * kPage;
  }
  return std::nullopt;
}

// Of several names of one place the one that people use: few underscores before it, short.
auto preference(const Symbol& symbol) {
  const std::size_t underscores = std::min(symbol.name.find_first_not_of('_'), symbol.name.size());
  return std::tuple(!symbol.is_function, underscores, symbol.name.size(), std::string_view(symbol.name));
}

std::string with_offset(std::string_view name, std::uint64_t offset) {
  return offset == 0 ? std::string(name) : fmt::format("{}+{:#x}", name, offset);
}

}  // namespace

Modules::Modules(const std::string& program, const std::vector<Mapping>& mappings, pid_t pid) {
  std::set<std::string> seen;
  std::vector<const Mapping*> code;
  for (const Mapping& mapping : mappings)
    if (mapping.executable && !mapping.file.empty() && seen.insert(mapping.file).second)
      code.push_back(&mapping);
  std::ranges::sort(code, [&](const Mapping* a, const Mapping* b) {
    return std::tuple(a->file != program, b->begin) < std::tuple(b->file != program, a->begin);
  });
  for (const Mapping* mapping : code) {
    if (mapping->file == kVdso) add_vdso(*mapping, pid);
    if (!mapping->file.starts_with('/')) continue;
    auto elf = Elf::open(mapping->file);
    if (!elf) continue;
    if (const auto bias = bias_of(**elf, mapping->file, mappings)) add(mapping->file, std::move(*elf), *bias);
  }
  index();
}

void Modules::add_vdso(const Mapping& mapping, pid_t pid) {
  std::string bytes(mapping.end - mapping.begin, '\0');
  if (!read_memory(pid, mapping.begin, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()})) return;
  if (auto elf = Elf::in_memory(std::move(bytes))) add(mapping.file, std::move(*elf), mapping.begin);
}

void Modules::add(std::string path, std::shared_ptr<const Elf> elf, std::uint64_t bias) {
  Module module{file_name(path), std::move(path), bias, ~0ULL, 0, std::move(elf)};
  for (const Elf::Segment& segment : module.elf->segments()) {
    module.begin = std::min(module.begin, bias + segment.address);
    module.end = std::max(module.end, bias + segment.address + segment.size);
  }
  for (Elf::ElfSymbol& symbol : module.elf->symbols())
    symbols_.push_back({std::move(symbol.name), module.name, bias + symbol.address, symbol.size,
                        symbol.is_function, symbol.is_indirect});
  modules_.push_back(std::move(module));
}

void Modules::index() {
  std::ranges::sort(symbols_, [](const Symbol& a, const Symbol& b) {
    return std::tuple(a.address, preference(a)) < std::tuple(b.address, preference(b));
  });
  const auto same = [](const Symbol& a, const Symbol& b) {
    return a.address == b.address && a.name == b.name;
  };
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(), same), symbols_.end());
  reach_.clear();
  by_name_.clear();
  std::uint64_t reach = 0;
  for (const Symbol& symbol : symbols_) {
    reach = std::max(reach, symbol.address + symbol.size);
    reach_.push_back(reach);
    by_name_.emplace(symbol.name, &symbol);
  }
}

void Modules::resolve_indirect(
    const std::function<std::optional<std::uint64_t>(std::uint64_t resolver)>& implementation) {
  std::map<std::uint64_t, std::optional<std::uint64_t>> known;
  for (Symbol& symbol : symbols_) {
    if (!symbol.is_indirect) continue;
    const auto [at, is_new] = known.try_emplace(symbol.address);
    if (is_new) at->second = implementation(symbol.address);
    if (!at->second) continue;
    symbol.address = *at->second;
    symbol.size = 0;  // the symbol has that of the function that chooses
    symbol.is_indirect = false;
  }
  index();
}

const Module* Modules::at(std::uint64_t address) const {
  const auto found = std::ranges::find_if(
      modules_, [&](const Module& module) { return module.begin <= address && address < module.end; });
  return found == modules_.end() ? nullptr : &*found;
}

const Module* Modules::named(std::string_view name) const {
  const auto found = std::ranges::find(modules_, name, &Module::name);
  return found == modules_.end() ? nullptr : &*found;
}

const Symbol* Modules::symbol_of(std::uint64_t address) const {
  const Module* module = at(address);
  if (module == nullptr) return nullptr;
  const auto behind = std::ranges::upper_bound(symbols_, address, {}, &Symbol::address);
  const auto number = static_cast<std::size_t>(behind - symbols_.begin());
  const Symbol* symbol = covering(number, address);
  return symbol != nullptr ? symbol : ending_before(number, *module);
}

// Of the symbols before number `behind` the innermost function over the address, or else object.
const Symbol* Modules::covering(std::size_t behind, std::uint64_t address) const {
  const Symbol* best = nullptr;
  for (std::size_t i = behind; i-- > 0 && reach_[i] > address;) {
    const Symbol& symbol = symbols_[i];
    if (address - symbol.address >= symbol.size) continue;
    const bool is_better = best == nullptr || (symbol.is_function && !best->is_function) ||
                           (symbol.address == best->address && preference(symbol) < preference(*best));
    if (is_better) best = &symbol;
  }
  return best;
}

// The last of the symbols before number `behind`, where it says no size.
const Symbol* Modules::ending_before(std::size_t behind, const Module& module) const {
  if (behind == 0) return nullptr;
  const std::uint64_t address = symbols_[behind - 1].address;
  if (address < module.begin) return nullptr;
  const auto first = std::ranges::lower_bound(symbols_, address, {}, &Symbol::address);
  const bool all_without_size = std::all_of(first, symbols_.begin() + static_cast<std::ptrdiff_t>(behind),
                                            [](const Symbol& symbol) { return symbol.size == 0; });
  return all_without_size ? &*first : nullptr;
}

std::vector<const Symbol*> Modules::find_symbols(std::string_view name) const {
  std::vector<const Symbol*> found;
  const auto [first, last] = by_name_.equal_range(name);
  for (auto at = first; at != last; ++at) found.push_back(at->second);
  std::ranges::stable_sort(found, {},
                           [this](const Symbol* symbol) { return named(symbol->module) - modules_.data(); });
  return found;
}

std::string Modules::describe(std::uint64_t address, const std::vector<Mapping>& mappings) const {
  const Module* module = at(address);
  if (module == nullptr) {
    const Mapping* mapping = find_mapping(mappings, address);
    if (mapping == nullptr || !mapping->file.starts_with('[')) return fmt::format("{:#x}", address);
    return with_offset(mapping->file, address - mapping->begin);
  }
  const Symbol* symbol = symbol_of(address);
  if (symbol == nullptr) return fmt::format("{}+{:#x}", module->name, address - module->bias);
  const std::string text = with_offset(symbol->name, address - symbol->address);
  return module == &modules_.front() ? text : fmt::format("{}!{}", module->name, text);
}

std::pair<std::uint32_t, std::uint64_t> Modules::relative(std::uint64_t address) const {
  const Module* module = at(address);
  if (module == nullptr) return {0, address};
  return {static_cast<std::uint32_t>(module - modules_.data()) + 1, address - module->bias};
}

std::vector<std::string> Modules::functions(const Module& module) const {
  std::vector<std::string> names;
  for (const Symbol& symbol : symbols_)
    if (symbol.is_function && symbol.module == module.name) names.push_back(symbol.name);
  return names;
}

}  // namespace perfpact::process
