// Names of the structures that methods are called on.
#pragma once
#include <unordered_map>

#include "count/image.h"

namespace perfpact::count {

/// A structure keeps the name that it has when it is first met, so every engine has to ask in the order in
/// which methods are entered.
class Structures {
 public:
  explicit Structures(const Image& image);

  /// By the global variable of the program that leads there: in it (`state+0x10`), by a pointer in it
  /// (`*(state+0x8)`; `flows` where the variable is nothing but the pointer), in or by what such a pointer
  /// points to (`nat->0x18`, `*(nat->0x18)`). `unnamed#N` where none does.
  [[nodiscard]] const std::string& name(std::uint64_t handle);

 private:
  struct Pointer {
    std::string place;  // `*(state+0x8)` without what is around it
    bool is_variable = false;
    std::uint64_t target = 0, end = 0;  // what is looked at
    [[nodiscard]] std::string text() const;
  };
  [[nodiscard]] std::optional<std::string> find(std::uint64_t handle) const;
  [[nodiscard]] std::optional<std::string> in_global(std::uint64_t address) const;
  [[nodiscard]] std::optional<std::string> behind(const std::vector<Pointer>& pointers,
                                                  std::uint64_t handle) const;

  const Image& image_;
  std::unordered_map<std::uint64_t, std::string> names_;
  std::size_t unnamed_ = 0;
};

}  // namespace perfpact::count
