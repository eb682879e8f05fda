// The operations of the core form (core::Op) on exact integers: pure functions, held to plain C++ arithmetic
// at all small widths by tests/p4/interpreter/operations_test.cpp.
#pragma once
#include <array>
#include <cstdint>

#include "base/number.h"
#include "p4/core/core.h"

namespace perfpact::p4::interpreter {

/// What an operation works on. Values are below 2^width; those that an operation has not are null.
struct Inputs {
  std::uint32_t width = 0;  // of the result
  std::array<const Integer*, 3> values{};
  std::array<std::uint32_t, 3> widths{};
  std::uint32_t high = 0, low = 0;  // Extract, Insert

  [[nodiscard]] const Integer& a() const { return *values[0]; }
  [[nodiscard]] const Integer& b() const { return *values[1]; }
  [[nodiscard]] const Integer& c() const { return *values[2]; }
};

/// The result, below 2^inputs.width.
[[nodiscard]] Integer evaluate(core::Op op, const Inputs& inputs);

/// Cuts the value to its low bits.
void cut(Integer& value, std::uint32_t width);

}  // namespace perfpact::p4::interpreter
