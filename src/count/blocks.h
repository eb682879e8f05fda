// Memory that a program has allocated, named by the pointers that lead to it.
#pragma once
#include <map>

#include "count/image.h"

namespace perfpact::count {

/// Blocks of glibc's malloc that are reached from global variables of the program: what lies around a block
/// tells its size, and that it is one. A block keeps the name that it has when it is first found.
class Blocks {
 public:
  explicit Blocks(const Image& image) : image_(image) {}

  /// `flows->0x40` in what the global pointer `flows` points to, `*(state+0x8)->0x40` where the pointer is
  /// part of a variable, `*(flows->0x8)->0x340` where it is in such a block; nothing in other memory.
  [[nodiscard]] std::optional<std::string> name(std::uint64_t address);

 private:
  struct Block {
    std::uint64_t end = 0;
    std::string name;
  };
  [[nodiscard]] std::optional<std::string> find(std::uint64_t address) const;
  void search();
  [[nodiscard]] std::optional<std::uint64_t> end_of_block(std::uint64_t begin) const;
  /// Takes in what the pointer at this place leads to, where that is a new block.
  void follow(const std::string& place, std::uint64_t pointer);

  const Image& image_;
  std::vector<process::Mapping> mappings_;
  std::map<std::uint64_t, Block> blocks_;  // by their beginnings
  std::vector<std::uint64_t> unseen_;      // beginnings of blocks whose pointers were not followed
};

}  // namespace perfpact::count
