#include "lift/state.h"

#include <llvm/IR/DerivedTypes.h>

#include <vector>

namespace perfpact::lift {

std::uint32_t bits(Field field) {
  constexpr std::uint32_t kGprBits = 64, kXmmBits = 128, kParityBits = 8;
  if (field < Field::Xmm0 || field >= Field::FsBase) return kGprBits;
  if (field < Field::Cf) return kXmmBits;
  return field == Field::Parity ? kParityBits : 1;
}

llvm::StructType* state_type(llvm::LLVMContext& context) {
  std::vector<llvm::Type*> fields;
  for (std::size_t i = 0; i < kFields; ++i)
    fields.push_back(llvm::IntegerType::get(context, bits(static_cast<Field>(i))));
  return llvm::StructType::get(context, fields);
}

}  // namespace perfpact::lift
