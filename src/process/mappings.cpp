#include "process/mappings.h"

#include <charconv>
#include <filesystem>
#include <fstream>

namespace perfpact::process {
namespace {

// Takes a hexadecimal number and the separator behind it from the front of the text.
std::uint64_t take_hex(std::string_view& text) {
  std::uint64_t value = 0;
  const char* end = std::from_chars(text.data(), text.data() + text.size(), value, 16).ptr;
  text.remove_prefix(std::min<std::size_t>(static_cast<std::size_t>(end - text.data()) + 1, text.size()));
  return value;
}

void take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find(' '), text.size()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

// "begin-end rwxp offset device inode   file"
Mapping parse_mapping(std::string_view line) {
  Mapping mapping;
  mapping.begin = take_hex(line);
  mapping.end = take_hex(line);
  if (line.size() >= 4) {
    mapping.readable = line[0] == 'r';
    mapping.writable = line[1] == 'w';
    mapping.executable = line[2] == 'x';
    mapping.shared = line[3] == 's';
  }
  take_word(line);
  mapping.offset = take_hex(line);
  take_word(line);
  take_word(line);
  mapping.file = line;
  return mapping;
}

}  // namespace

std::vector<Mapping> read_mappings(pid_t pid) {
  std::vector<Mapping> mappings;
  std::ifstream file(fmt::format("/proc/{}/maps", pid));
  for (std::string line; std::getline(file, line);) mappings.push_back(parse_mapping(line));
  return mappings;
}

const Mapping* find_mapping(const std::vector<Mapping>& mappings, std::uint64_t address) {
  const auto behind =
      std::ranges::upper_bound(mappings, address, {}, [](const Mapping& mapping) { return mapping.begin; });
  if (behind == mappings.begin()) return nullptr;
  const Mapping& mapping = *std::prev(behind);
  return address < mapping.end ? &mapping : nullptr;
}

std::string executable_of(pid_t pid) {
  std::error_code gone;
  return std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), gone).string();
}

}  // namespace perfpact::process
