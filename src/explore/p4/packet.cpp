#include "explore/p4/packet.h"

#include <algorithm>

#include "explore/byte.h"
#include "smt/derived.h"

namespace perfpact::explore {
namespace {

using smt::Context;
using smt::Expr;

}  // namespace

void Packet::Pieces::append(Expr value) {
  pieces.push_back({bits, value});
  bits += value.width();
}

Expr Packet::length(Context& context, Expr arrived) const {
  const auto more = static_cast<std::uint64_t>(surplus() / kByte);
  return context.add(smt::resize(context, arrived, kLengthBits), context.constant(kLengthBits, more));
}

Expr Packet::remaining(Context& context, Expr arrived) const {
  const Expr bits =
      context.mul(smt::resize(context, arrived, kLengthBits), context.constant(kLengthBits, kByte));
  const std::int64_t more = surplus() - static_cast<std::int64_t>(cursor_);
  return context.add(bits, context.constant(kLengthBits, static_cast<std::uint64_t>(more)));
}

Expr Packet::peek(Context& context, const Arrived& arrived, std::uint64_t offset, std::uint32_t bits) const {
  std::uint64_t position = cursor_ + offset;
  const std::uint64_t end = position + bits;
  Expr value;
  const auto append = [&](Expr piece) { value = value ? context.concat(value, piece) : piece; };
  auto piece = std::ranges::upper_bound(head_->pieces, position, std::less{}, &Piece::begin);
  while (position < std::min(end, head_->bits)) {
    const Piece& from = *std::prev(piece++);
    const std::uint64_t stop = std::min(end, from.begin + from.value.width());
    const auto high = static_cast<std::uint32_t>(from.begin + from.value.width() - 1 - position);
    const auto low = static_cast<std::uint32_t>(from.begin + from.value.width() - stop);
    append(context.extract(high, low, from.value));
    position = stop;
  }
  while (position < end) {
    const std::uint64_t bit = position - head_->bits + tail_;
    const std::uint64_t skipped = bit % kByte;
    const std::uint64_t taken = std::min(end - position, kByte - skipped);
    append(context.extract(static_cast<std::uint32_t>(kByte - 1 - skipped),
                           static_cast<std::uint32_t>(kByte - skipped - taken), arrived(bit / kByte)));
    position += taken;
  }
  return value;
}

void Packet::emit(Expr value) {
  output_.append(value);
}

void Packet::commit(Context& context) {
  Pieces head = std::move(output_);
  output_ = {};
  for (const Piece& piece : head_->pieces) {
    const std::uint64_t end = piece.begin + piece.value.width();
    if (end <= cursor_) continue;
    const auto kept = static_cast<std::uint32_t>(end - std::max(cursor_, piece.begin));
    head.append(context.extract(kept - 1, 0, piece.value));
  }
  if (cursor_ > head_->bits) tail_ += cursor_ - head_->bits;
  const std::uint64_t over = (head.bits + padding_ + kByte - tail_ % kByte) % kByte;
  if (over != 0) padding_ += kByte - over;
  head_ = std::make_shared<const Pieces>(std::move(head));
  cursor_ = 0;
}

}  // namespace perfpact::explore
