// pcmpistri, pcmpistrm, pcmpestri, pcmpestrm (Intel SDM vol. 2, 4.1): the elements of the second operand, the
// text, are compared with those of the first, the pattern, up to the end of both. The end is a zero or, in
// the explicit forms, a length in eax and edx. The immediate says how.
#include "lift/vector.h"

namespace perfpact::lift {
namespace {

using Predicate = llvm::CmpInst::Predicate;

enum class Aggregation : std::uint8_t { EqualAny, Ranges, EqualEach, EqualOrdered };

class Control {
 public:
  explicit Control(unsigned immediate) : bits_(immediate) {}
  [[nodiscard]] unsigned width() const { return (bits_ & 1U) != 0 ? 16 : 8; }
  [[nodiscard]] unsigned elements() const { return kVectorBits / width(); }
  [[nodiscard]] bool is_signed() const { return (bits_ & 2U) != 0; }
  [[nodiscard]] auto aggregation() const { return static_cast<Aggregation>(bits_ >> 2 & 3U); }
  [[nodiscard]] bool negates() const { return (bits_ >> 4 & 1U) != 0; }
  [[nodiscard]] bool negates_valid_only() const { return (bits_ >> 5 & 1U) != 0; }
  /// The index of the last, not of the first; a mask of whole elements, not of bits.
  [[nodiscard]] bool is_alternative() const { return (bits_ >> 6 & 1U) != 0; }

 private:
  unsigned bits_;
};

struct String {
  Lanes elements;
  Lanes valid;  // of each element: it is before the end
};

Value all(BlockLifter& block, Value left, Value right) {
  return left == nullptr ? right : block.ir().CreateAnd(left, right);
}

Value any(BlockLifter& block, Value left, Value right) {
  return left == nullptr ? right : block.ir().CreateOr(left, right);
}

String up_to_zero(BlockLifter& block, Lanes elements) {
  String string{.elements = std::move(elements), .valid = {}};
  Value before = nullptr;
  for (Value const element : string.elements) {
    before = all(block, before, block.ir().CreateNot(block.is_zero(element)));
    string.valid.push_back(before);
  }
  return string;
}

// The length's sign does not count.
String up_to_length(BlockLifter& block, Lanes elements, x86::Gpr length) {
  auto& ir = block.ir();
  Value const given = block.read_gpr(length, 32);
  Value const size = ir.CreateSelect(block.is_negative(given), ir.CreateNeg(given), given);
  String string{.elements = std::move(elements), .valid = {}};
  for (std::size_t i = 0; i < string.elements.size(); ++i)
    string.valid.push_back(ir.CreateICmpUGT(size, block.constant(32, i)));
  return string;
}

class Comparison {
 public:
  Comparison(BlockLifter& block, Control control, const String& pattern, const String& text)
      : block_(block), control_(control), pattern_(pattern), text_(text) {}

  /// One bit for each element of the text.
  [[nodiscard]] Lanes run() const {
    Lanes result;
    for (std::size_t at = 0; at < text_.elements.size(); ++at) result.push_back(polarised(at, aggregate(at)));
    return result;
  }

 private:
  [[nodiscard]] Value aggregate(std::size_t at) const {
    switch (control_.aggregation()) {
      case Aggregation::EqualAny:
        return equal_any(at);
      case Aggregation::Ranges:
        return in_ranges(at);
      case Aggregation::EqualEach:
        return equal_each(at);
      default:
        return equal_ordered(at);
    }
  }

  [[nodiscard]] Value compare(Predicate predicate, std::size_t in_text, std::size_t in_pattern) const {
    return block_.ir().CreateICmp(predicate, text_.elements[in_text], pattern_.elements[in_pattern]);
  }

  [[nodiscard]] Value equal_any(std::size_t at) const {
    Value found = nullptr;
    for (std::size_t i = 0; i < pattern_.elements.size(); ++i)
      found = any(block_, found, all(block_, pattern_.valid[i], compare(Predicate::ICMP_EQ, at, i)));
    return all(block_, text_.valid[at], found);
  }

  // A pair of the pattern is a first and a last; the last one is the later to become invalid.
  [[nodiscard]] Value in_ranges(std::size_t at) const {
    const auto not_below = control_.is_signed() ? Predicate::ICMP_SGE : Predicate::ICMP_UGE;
    const auto not_above = control_.is_signed() ? Predicate::ICMP_SLE : Predicate::ICMP_ULE;
    Value found = nullptr;
    for (std::size_t i = 0; i < pattern_.elements.size(); i += 2) {
      Value const is_inside = all(block_, compare(not_below, at, i), compare(not_above, at, i + 1));
      found = any(block_, found, all(block_, pattern_.valid[i + 1], is_inside));
    }
    return all(block_, text_.valid[at], found);
  }

  [[nodiscard]] Value equal_each(std::size_t at) const {
    auto& ir = block_.ir();
    Value const both = ir.CreateAnd(pattern_.valid[at], text_.valid[at]);
    Value const neither = ir.CreateNot(ir.CreateOr(pattern_.valid[at], text_.valid[at]));
    return ir.CreateOr(ir.CreateAnd(both, compare(Predicate::ICMP_EQ, at, at)), neither);
  }

  // The pattern begins here; what is behind its end fits everywhere.
  [[nodiscard]] Value equal_ordered(std::size_t at) const {
    auto& ir = block_.ir();
    Value fits = nullptr;
    for (std::size_t i = 0; at + i < text_.elements.size(); ++i) {
      Value const is_same = ir.CreateAnd(text_.valid[at + i], compare(Predicate::ICMP_EQ, at + i, i));
      fits = all(block_, fits, ir.CreateOr(ir.CreateNot(pattern_.valid[i]), is_same));
    }
    return fits;
  }

  [[nodiscard]] Value polarised(std::size_t at, Value found) const {
    if (!control_.negates()) return found;
    if (!control_.negates_valid_only()) return block_.ir().CreateNot(found);
    return block_.ir().CreateXor(found, text_.valid[at]);
  }

  BlockLifter& block_;
  Control control_;
  const String& pattern_;
  const String& text_;
};

void write_index(BlockLifter& block, Control control, const Lanes& found) {
  const std::size_t count = found.size();
  Value index = block.constant(32, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = control.is_alternative() ? i : count - 1 - i;
    index = block.ir().CreateSelect(found[place], block.constant(32, place), index);
  }
  block.write_gpr(x86::Rcx, index);
}

void write_mask(BlockLifter& block, Control control, const Lanes& found) {
  Lanes lanes = found;
  if (control.is_alternative())
    for (Value& lane : lanes) lane = block.ir().CreateSExt(lane, block.integer(control.width()));
  block.set_field(xmm(0), block.ir().CreateZExt(block.concat(lanes), block.integer(kVectorBits)));
}

void set_flags(BlockLifter& block, const String& pattern, const String& text, const Lanes& found) {
  Value is_found = nullptr;
  for (Value const each : found) is_found = any(block, is_found, each);
  block.set_flag(Field::Cf, is_found);
  block.set_flag(Field::Zf, block.ir().CreateNot(text.valid.back()));
  block.set_flag(Field::Sf, block.ir().CreateNot(pattern.valid.back()));
  block.set_flag(Field::Of, found.front());
  block.set_flag(Field::Af, false);
  block.set_parity(block.ir().getFalse());
}

enum class End : std::uint8_t { Zero, Length };
using Output = void (*)(BlockLifter& block, Control control, const Lanes& found);

// Memory need not be aligned. Lengths of 64 bits are not lifted.
template <End end, Output output>
void compare_strings(BlockLifter& block) {
  if (end == End::Length && block.instruction().decoded.raw.rex.W != 0) return block.trap(Trap::NotLifted);
  const Control control(immediate(block, 2));
  const auto read = [&](unsigned number, x86::Gpr length) {
    Lanes elements = split(block, block.read(number, kVectorBits), control.width());
    return end == End::Zero ? up_to_zero(block, std::move(elements))
                            : up_to_length(block, std::move(elements), length);
  };
  const String pattern = read(0, x86::Rax);
  const String text = read(1, x86::Rdx);
  const Lanes found = Comparison(block, control, pattern, text).run();
  output(block, control, found);
  set_flags(block, pattern, text, found);
}

}  // namespace

void add_vector_strings(Handlers& handlers) {
  handlers[ZYDIS_MNEMONIC_PCMPISTRI] = compare_strings<End::Zero, write_index>;
  handlers[ZYDIS_MNEMONIC_PCMPISTRM] = compare_strings<End::Zero, write_mask>;
  handlers[ZYDIS_MNEMONIC_PCMPESTRI] = compare_strings<End::Length, write_index>;
  handlers[ZYDIS_MNEMONIC_PCMPESTRM] = compare_strings<End::Length, write_mask>;
}

}  // namespace perfpact::lift
