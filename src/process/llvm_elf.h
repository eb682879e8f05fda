// LLVM's reader of ELF files. Its header destroys a std::unique_ptr of a class that it defines only later,
// which clang in C++23 refuses with libstdc++ 12, where that destructor is constexpr and so instantiated at
// once: here it gets a deleter that is defined when the class is.
#pragma once
#include <memory>

namespace llvm {
struct DelimitedScope;
}  // namespace llvm

template <>
struct std::default_delete<llvm::DelimitedScope> {
  void operator()(llvm::DelimitedScope* scope) const;
};

#include <llvm/Object/ELFObjectFile.h>

inline void std::default_delete<llvm::DelimitedScope>::operator()(llvm::DelimitedScope* scope) const {
  delete scope;
}
