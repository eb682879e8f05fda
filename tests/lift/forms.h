// The forms of instructions that docs/lift-x86.md claims: its table, read, and written out as assembly text.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace perfpact::lift {

struct Form {
  std::string mnemonic;  // with its prefixes
  std::vector<std::string> operands;
  unsigned width = 0;           // bits; 0 where it has none
  std::uint64_t undefined = 0;  // flags that are not compared

  [[nodiscard]] std::string name() const;
};

[[nodiscard]] std::vector<Form> read_forms(const std::string& path);

using Random = std::mt19937_64;

/// Picks registers, an addressing form and immediates; `code` and `data` are addresses below 2 GB. Not every
/// choice can be encoded.
[[nodiscard]] std::string write_out(const Form& form, std::uint64_t code, std::uint64_t data, Random& random);

[[nodiscard]] std::uint64_t interesting_number(Random& random);
/// Such a number, or lanes of 8, 16 or 32 bits that are often at an edge or equal.
[[nodiscard]] std::uint64_t interesting_lanes(Random& random);

}  // namespace perfpact::lift
