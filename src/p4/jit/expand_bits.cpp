// Bits of the packet and of other buffers, and numbers as words.
#include <cstddef>

#include "p4/jit/expander.h"

namespace perfpact::p4::jit {

// Up to 64 bits, from any bit of a byte on.
Expander::Value Expander::read_word(Value buffer, Value position, std::uint32_t bits) {
  Value byte = byte_at(buffer, shifted_right(position, 3));
  Value skipped = builder_.CreateAnd(position, number(7));
  Value word = byte_swap(load_from(Memory::Data, byte, integer(kWordBits), llvm::Align(1)));
  word = builder_.CreateShl(word, skipped);
  if (bits > kWordBits - 7) {
    Value next =
        fit(load_from(Memory::Data, byte_at(byte, number(8)), integer(8), llvm::Align(1)), kWordBits);
    word = builder_.CreateOr(word, builder_.CreateLShr(next, builder_.CreateSub(number(8), skipped)));
  }
  return shifted_right(word, kWordBits - bits);
}

Expander::Value Expander::read_bits(Value buffer, Value position, std::uint32_t bits) {
  if (bits <= kWordBits) return fit(read_word(buffer, position, bits), bits);
  Value value = llvm::ConstantInt::get(integer(bits), 0);
  for (std::uint32_t done = 0; done < bits;) {
    const std::uint32_t taken = std::min(kWordBits, bits - done);
    Value part = fit(read_word(buffer, builder_.CreateAdd(position, number(done)), taken), bits);
    done += taken;
    value = builder_.CreateOr(value, shifted_left(part, bits - done));
  }
  return value;
}

// Keeps the bits before the position in its byte; what is behind the value is overwritten.
void Expander::write_word(Value buffer, Value position, Value value, std::uint32_t bits) {
  const std::uint32_t wide = bits + 7 <= kWordBits ? kWordBits : 2 * kWordBits;
  Value byte = byte_at(buffer, shifted_right(position, 3));
  Value used = fit(builder_.CreateAnd(position, number(7)), wide);
  Value kept = fit(load_from(Memory::Data, byte, integer(8), llvm::Align(1)), wide);
  Value mask = builder_.CreateLShr(llvm::ConstantInt::get(integer(wide), 0xff00), used);
  kept = builder_.CreateAnd(builder_.CreateAnd(kept, mask), llvm::ConstantInt::get(integer(wide), 0xff));
  Value added = builder_.CreateLShr(shifted_left(fit(value, wide), wide - bits), used);
  Value word = builder_.CreateOr(shifted_left(kept, wide - 8), added);
  store_to(Memory::Data, byte, byte_swap(word), llvm::Align(1));
}

void Expander::write_bits(Value buffer, Value position, Value value, std::uint32_t bits) {
  for (std::uint32_t done = 0; done < bits;) {
    const std::uint32_t taken = std::min(kWordBits, bits - done);
    Value part = fit(shifted_right(value, bits - done - taken), kWordBits);
    if (taken < kWordBits) part = builder_.CreateAnd(part, number((std::uint64_t{1} << taken) - 1));
    write_word(buffer, builder_.CreateAdd(position, number(done)), part, taken);
    done += taken;
  }
}

// Gives the position behind what was appended.
Expander::Value Expander::append_varbit(Value buffer, Value position, Value value, Value bits) {
  store_words(load_pointer(offsetof(Frame, words)), value);
  runtime("append", none(), {buffer, position, builder_.getInt32(width(value)), bits});
  return builder_.CreateAdd(position, fit(bits, kWordBits));
}

std::optional<std::uint32_t> Expander::fixed_length(Value bits) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(bits);
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(bits))
    if (const auto* otherwise = llvm::dyn_cast<llvm::ConstantInt>(choice->getFalseValue());
        otherwise != nullptr && otherwise->isZero())
      length = llvm::dyn_cast<llvm::ConstantInt>(choice->getTrueValue());
  if (length == nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(length->getZExtValue());
}

// An item of fixed length is written where it stands; what comes next overwrites it where it does not count.
Expander::Value Expander::append_item(Value buffer, Value position, Value value, Value bits) {
  const auto most = fixed_length(bits);
  if (!most) return append_varbit(buffer, position, value, bits);
  if (*most == 0) return position;
  write_bits(buffer, position, fit(value, *most), *most);
  return builder_.CreateAdd(position, fit(bits, kWordBits));
}

// ---- Words

void Expander::store_words(Value words, Value value) {
  const auto bits = static_cast<std::uint32_t>(kWordBits * words_of(width(value)));
  store_to(Memory::Data, words, fit(value, bits));
}

Expander::Value Expander::load_words(Value words, std::uint32_t bits) {
  const auto all = static_cast<std::uint32_t>(kWordBits * words_of(bits));
  return fit(load_from(Memory::Data, words, integer(all)), bits);
}

void Expander::pass_words(unsigned begin) {
  Value words = load_pointer(offsetof(Frame, words));
  std::uint64_t word = 0;
  for (unsigned i = begin; i < arguments(); ++i) {
    store_words(byte_at(words, number(8 * word)), argument(i));
    word += words_of(width(argument(i)));
  }
}

}  // namespace perfpact::p4::jit
