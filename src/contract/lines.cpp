#include "contract/lines.h"

#include <filesystem>
#include <fstream>
#include <map>

namespace perfpact::contract {
namespace {

using Lines = std::vector<std::string>;

bool is_older(const std::filesystem::path& file, const std::filesystem::path& program) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  if (error) return false;
  const auto built = std::filesystem::last_write_time(program, error);
  return !error && written <= built;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

Lines read_lines(const std::string& file, const std::string& program) {
  Lines lines;
  if (!is_older(file, program)) return lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(trimmed(line));
  return lines;
}

// `flows.get hit`, without the number of the call.
std::string name_of(const explore::NativeCall& call) {
  return call.label.substr(0, call.label.find('#')) + " " + call.outcome->name;
}

}  // namespace

std::vector<LineCost> lines_of(const explore::NativeExplorer& explorer, const explore::NativePath& path,
                               const std::string& program) {
  if (path.origin) return {};
  const process::Process& process = explorer.process();
  std::map<std::tuple<std::string, std::uint32_t, std::string>, LineCost> costs;
  const auto at = [&](std::uint64_t address) -> LineCost& {
    const auto location = process.location(address);
    const process::Symbol* symbol = process.symbol_of(address);
    LineCost one{.function = symbol != nullptr ? symbol->name : process.describe(address)};
    if (location) one = {location->file, location->line, location->function};
    return costs.try_emplace({one.file, one.line, one.function}, one).first->second;
  };
  for (const std::uint32_t number : path.sites) {
    const lift::Site& site = explorer.site(number);
    process::Counts& counts = at(site.address).counts;
    ++counts.instructions;
    counts.loads += site.loads;
    counts.stores += site.stores;
  }
  for (const explore::NativeCall& call : path.calls)
    if (call.before > 0 && call.before <= path.sites.size())
      at(explorer.site(path.sites[call.before - 1]).address).calls.push_back(name_of(call));
  std::map<std::string, Lines> files;
  std::vector<LineCost> all;
  for (auto& [key, cost] : costs) {
    if (!cost.file.empty()) {
      const auto [file, is_new] = files.try_emplace(cost.file);
      if (is_new) file->second = read_lines(cost.file, program);
      if (cost.line > 0 && cost.line <= file->second.size()) cost.text = file->second[cost.line - 1];
    }
    all.push_back(std::move(cost));
  }
  return all;
}

}  // namespace perfpact::contract
