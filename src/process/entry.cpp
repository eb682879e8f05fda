#include "process/entry.h"

#include <charconv>

#include "base/spelling.h"
#include "process/diagnostics.h"
#include "process/mappings.h"

namespace perfpact::process {
namespace {

std::optional<std::uint64_t> parse_hex_number(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// [module "!"] (function ["+0x" offset] | "0x" address)
struct Place {
  std::string_view module;
  std::string_view function;  // empty: an address
  std::uint64_t offset = 0;
};

std::optional<Place> parse(std::string_view text) {
  Place place;
  if (const std::size_t mark = text.find('!'); mark != std::string_view::npos) {
    place.module = text.substr(0, mark);
    text.remove_prefix(mark + 1);
  }
  if (const auto address = parse_hex_number(text)) {
    place.offset = *address;
    return place;
  }
  const std::size_t plus = text.rfind('+');
  if (plus != std::string_view::npos) {
    const auto offset = parse_hex_number(text.substr(plus + 1));
    if (!offset) return std::nullopt;
    place.offset = *offset;
  }
  place.function = text.substr(0, plus);
  if (place.function.empty() || place.function.starts_with("0x")) return std::nullopt;
  return place;
}

class Resolver {
 public:
  Resolver(const std::string& program, std::string_view entry, const Modules& modules,
           Diagnostics& diagnostics)
      : program_(program), entry_(entry), modules_(modules), diagnostics_(diagnostics) {}

  Result<std::uint64_t> resolve() const {
    const std::optional<Place> place = parse(entry_);
    if (!place) return std::unexpected(diagnostics_.report(diag::kBadEntry, {}, entry_));
    const Module* module = nullptr;
    if (!place->module.empty()) {
      module = modules_.named(place->module);
      if (module == nullptr) return unknown_module(place->module);
    }
    if (!place->function.empty()) return function(place->function, module, place->offset);
    return place->offset + (module != nullptr ? *module : modules_.all().front()).bias;
  }

 private:
  // Only in `within`, where it is given; in the first module that has it otherwise.
  Result<std::uint64_t> function(std::string_view name, const Module* within, std::uint64_t offset) const {
    std::vector<const Symbol*> found;
    for (const Symbol* symbol : modules_.find_symbols(name)) {
      const bool fits = symbol->is_function && (within == nullptr || symbol->module == within->name) &&
                        (found.empty() || symbol->module == found.front()->module);
      if (fits) found.push_back(symbol);
    }
    if (found.empty()) return unknown(name, within);
    if (found.size() > 1) return ambiguous(name, found);
    if (found.front()->is_indirect)
      return std::unexpected(diagnostics_.report(diag::kIndirectEntry, {}, program_, name));
    return found.front()->address + offset;
  }

  std::unexpected<Reported> unknown_module(std::string_view name) const {
    std::vector<std::string> names;
    for (const Module& module : modules_.all()) names.push_back(module.name);
    return std::unexpected(
        diagnostics_.report(diag::kUnknownModule, {}, program_, name, did_you_mean(name, names)));
  }

  std::unexpected<Reported> unknown(std::string_view name, const Module* within) const {
    const Module& module = within != nullptr ? *within : modules_.all().front();
    const std::vector<std::string> names = modules_.functions(module);
    const std::string hint = names.empty()
                                 ? "; it is stripped of symbols: give the address in its file, as 0x1139"
                                 : did_you_mean(name, names);
    return std::unexpected(diagnostics_.report(diag::kUnknownEntry, {}, program_, name, hint));
  }

  std::unexpected<Reported> ambiguous(std::string_view name, const std::vector<const Symbol*>& found) const {
    std::string places;
    for (const Symbol* symbol : found)
      places += fmt::format("{}{:#x}", places.empty() ? "" : ", ", modules_.relative(symbol->address).second);
    return std::unexpected(
        diagnostics_.report(diag::kAmbiguousEntry, {}, program_, found.size(), name, places));
  }

  const std::string& program_;
  std::string_view entry_;
  const Modules& modules_;
  Diagnostics& diagnostics_;
};

// "0x1000-0x2000" of the program's file.
std::string code_of(const Module& module) {
  std::string text;
  for (const Elf::Segment& segment : module.elf->segments())
    if (segment.executable)
      text += fmt::format("{}{:#x} to {:#x}", text.empty() ? "" : ", ", segment.address,
                          segment.address + segment.size);
  return text;
}

}  // namespace

Result<std::uint64_t> resolve_entry(const std::string& program, std::string_view entry,
                                    const Modules& modules, const std::vector<Mapping>& mappings,
                                    Diagnostics& diagnostics) {
  const Result<std::uint64_t> address = Resolver(program, entry, modules, diagnostics).resolve();
  if (!address) return address;
  const Mapping* mapping = find_mapping(mappings, *address);
  if (mapping != nullptr && mapping->executable) return address;
  return std::unexpected(
      diagnostics.report(diag::kNoCode, {}, program, entry, code_of(modules.all().front())));
}

}  // namespace perfpact::process
