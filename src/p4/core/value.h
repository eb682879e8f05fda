// What expressions become while they are lowered: a tree shaped like the type, with operands at its leaves. A
// value whose leaves are all slots of their own is a *place*.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "p4/check/types.h"
#include "p4/core/core.h"

namespace perfpact::p4::core {

struct Value {
  const Type* type = nullptr;
  Operand scalar;            // Bits, Bool, Error, enums; Varbit: the buffer
  Operand length;            // Varbit: bits in use
  Operand valid;             // Header
  Operand next_index;        // Stack
  std::vector<Value> parts;  // fields of a Struct, Header, HeaderUnion in order; elements of a Stack or Tuple
  std::vector<SlotId> siblings;  // Header in a union: the validity of the other members
};

/// The part for a field of a struct, header or union; null when there is none.
[[nodiscard]] const Value* find_field(const Value& value, std::string_view name);

/// Where an assignment goes. A stack indexed at run time gives several candidates, of which at most one has
/// its guard set.
struct LValue {
  struct Candidate {
    std::optional<Operand> guard;  // 1 bit; nothing: always
    Value place;
  };
  const Type* type = nullptr;
  std::vector<Candidate> candidates;  // empty: what is written is discarded
  struct Bits {
    std::uint32_t high, low;
  };
  std::optional<Bits> slice;
};

/// Bits of data in a value of the type: fields, without validity and next indices; a varbit at its maximum.
[[nodiscard]] std::uint32_t data_bits(TypeTable& types, const Type* type);
/// The width of the slot that holds a scalar of the type; 0 when it is no scalar.
[[nodiscard]] std::uint32_t scalar_width(const Type* type);
[[nodiscard]] bool is_signed(const Type* type);

}  // namespace perfpact::p4::core
