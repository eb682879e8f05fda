#include "p4/interpreter/operations.h"

#include <algorithm>

#include "base/check.h"

namespace perfpact::p4::interpreter {
namespace {

Integer power_of_two(std::uint32_t exponent) {
  return Integer(1) << exponent;
}

bool is_negative(const Integer& value, std::uint32_t width) {
  return width > 0 && bit_test(value, width - 1);
}

Integer to_signed(const Integer& value, std::uint32_t width) {
  if (!is_negative(value, width)) return value;
  return value - power_of_two(width);
}

// The value modulo 2^width.
Integer wrap(Integer value, std::uint32_t width) {
  if (value < 0) value += power_of_two(width);
  cut(value, width);
  return value;
}

Integer saturate_signed(const Integer& value, std::uint32_t width) {
  if (width == 0) return 0;
  const Integer limit = power_of_two(width - 1);
  return wrap(std::clamp<Integer>(value, -limit, limit - 1), width);
}

Integer copy(const Inputs& in) {
  return in.a();
}
Integer complement(const Inputs& in) {
  return all_ones(in.width) - in.a();
}
Integer negate(const Inputs& in) {
  return wrap(-in.a(), in.width);
}
Integer add(const Inputs& in) {
  return wrap(in.a() + in.b(), in.width);
}
Integer sub(const Inputs& in) {
  return wrap(in.a() - in.b(), in.width);
}
Integer mul(const Inputs& in) {
  return wrap(in.a() * in.b(), in.width);
}
Integer div(const Inputs& in) {
  return in.b() == 0 ? Integer(0) : Integer(in.a() / in.b());
}
Integer mod(const Inputs& in) {
  return in.b() == 0 ? Integer(0) : Integer(in.a() % in.b());
}

Integer add_sat(const Inputs& in) {
  return std::min<Integer>(in.a() + in.b(), all_ones(in.width));
}
Integer sub_sat(const Inputs& in) {
  return in.a() < in.b() ? Integer(0) : Integer(in.a() - in.b());
}
Integer add_sat_signed(const Inputs& in) {
  return saturate_signed(to_signed(in.a(), in.width) + to_signed(in.b(), in.width), in.width);
}
Integer sub_sat_signed(const Inputs& in) {
  return saturate_signed(to_signed(in.a(), in.width) - to_signed(in.b(), in.width), in.width);
}

Integer bit_and(const Inputs& in) {
  return in.a() & in.b();
}
Integer bit_or(const Inputs& in) {
  return in.a() | in.b();
}
Integer bit_xor(const Inputs& in) {
  return in.a() ^ in.b();
}

Integer shift_left(const Inputs& in) {
  if (in.b() >= in.width) return 0;
  return wrap(in.a() << static_cast<std::uint32_t>(in.b()), in.width);
}
Integer shift_right(const Inputs& in) {
  if (in.b() >= in.width) return 0;
  return in.a() >> static_cast<std::uint32_t>(in.b());
}
Integer shift_right_signed(const Inputs& in) {
  if (!is_negative(in.a(), in.width)) return shift_right(in);
  if (in.b() >= in.width) return all_ones(in.width);
  const auto amount = static_cast<std::uint32_t>(in.b());
  return (in.a() >> amount) + (all_ones(amount) << (in.width - amount));
}

Integer equal(const Inputs& in) {
  return in.a() == in.b() ? 1 : 0;
}
Integer not_equal(const Inputs& in) {
  return in.a() != in.b() ? 1 : 0;
}
Integer less(const Inputs& in) {
  return in.a() < in.b() ? 1 : 0;
}
Integer less_equal(const Inputs& in) {
  return in.a() <= in.b() ? 1 : 0;
}
Integer less_signed(const Inputs& in) {
  return to_signed(in.a(), in.widths[0]) < to_signed(in.b(), in.widths[1]) ? 1 : 0;
}
Integer less_equal_signed(const Inputs& in) {
  return to_signed(in.a(), in.widths[0]) <= to_signed(in.b(), in.widths[1]) ? 1 : 0;
}

Integer concat(const Inputs& in) {
  return (in.a() << in.widths[1]) | in.b();
}
Integer extract(const Inputs& in) {
  return wrap(in.a() >> in.low, in.high - in.low + 1);
}
Integer insert(const Inputs& in) {
  const Integer replaced = in.a() & (all_ones(in.high - in.low + 1) << in.low);
  return in.a() - replaced + (in.b() << in.low);
}

Integer sign_extend(const Inputs& in) {
  return wrap(to_signed(in.a(), in.widths[0]), in.width);
}
Integer truncate(const Inputs& in) {
  return wrap(in.a(), in.width);
}
Integer choose(const Inputs& in) {
  return in.a() != 0 ? in.b() : in.c();
}

using Function = Integer (*)(const Inputs&);

// In the order of core::Op.
constexpr std::array kFunctions{
    Function{copy},
    Function{complement},
    Function{negate},
    Function{add},
    Function{sub},
    Function{mul},
    Function{div},
    Function{mod},
    Function{add_sat},
    Function{sub_sat},
    Function{add_sat_signed},
    Function{sub_sat_signed},
    Function{bit_and},
    Function{bit_or},
    Function{bit_xor},
    Function{shift_left},
    Function{shift_right},
    Function{shift_right_signed},
    Function{equal},
    Function{not_equal},
    Function{less},
    Function{less_equal},
    Function{less_signed},
    Function{less_equal_signed},
    Function{concat},
    Function{extract},
    Function{insert},
    Function{copy} /* ZeroExtend */,
    Function{sign_extend},
    Function{truncate},
    Function{choose},
};
static_assert(kFunctions.size() == static_cast<std::size_t>(core::Op::Choose) + 1);

}  // namespace

void cut(Integer& value, std::uint32_t width) {
  if (value != 0 && msb(value) >= width) value &= all_ones(width);
}

Integer evaluate(core::Op op, const Inputs& inputs) {
  return kFunctions[static_cast<std::size_t>(op)](inputs);
}

}  // namespace perfpact::p4::interpreter
