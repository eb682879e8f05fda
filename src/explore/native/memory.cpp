#include "explore/native/memory.h"

#include <algorithm>
#include <array>

#include "explore/byte.h"

namespace perfpact::explore {
namespace {

smt::Expr from_bytes(smt::Context& context, std::span<const std::uint8_t> bytes) {
  Integer number;
  import_bits(number, bytes.begin(), bytes.end(), kByte, false);
  return context.constant(static_cast<std::uint32_t>(bytes.size()) * kByte, number);
}

}  // namespace

const Snapshot::Extent* Snapshot::extent(std::uint64_t address) const {
  const auto behind = std::ranges::upper_bound(extents(), address, std::less{}, &Extent::begin);
  if (behind == extents().begin() || std::prev(behind)->end <= address) return nullptr;
  return &*std::prev(behind);
}

std::uint64_t Snapshot::end_of_loads(const Extent& extent) const {
  std::uint64_t end = extent.end;
  auto next = std::ranges::upper_bound(extents(), extent.begin, std::less{}, &Extent::begin);
  for (; next != extents().end() && next->begin == end; ++next) end = next->end;
  return end;
}

std::vector<Memory::Line>::const_iterator Memory::position(std::uint64_t line) const {
  return std::ranges::lower_bound(lines_, line, std::less{}, &Line::number);
}

const Memory::Slot* Memory::find(std::uint64_t address) const {
  const auto at = position(address / kLine);
  if (at == lines_.end() || at->number != address / kLine) return nullptr;
  const Slot& slot = (*at->slots)[address % kLine];
  return slot.value ? &slot : nullptr;
}

Memory::Slot& Memory::writable(std::uint64_t address) {
  const std::uint64_t number = address / kLine;
  auto at = lines_.begin() + (position(number) - lines_.cbegin());
  if (at == lines_.end() || at->number != number)
    at = lines_.insert(at, {number, std::make_shared<std::array<Slot, kLine>>()});
  else if (at->slots.use_count() > 1)
    at->slots = std::make_shared<std::array<Slot, kLine>>(*at->slots);
  return (*at->slots)[address % kLine];
}

// Bytes of one value that follow each other are one piece.
smt::Expr Memory::load(smt::Context& context, std::uint64_t address, std::uint32_t bytes) const {
  smt::Expr result;
  const auto prepend = [&](smt::Expr piece) { result = result ? context.concat(piece, result) : piece; };
  for (std::uint32_t i = 0; i < bytes;) {
    const Slot* first = find(address + i);
    std::uint32_t count = 1;
    if (first == nullptr) {
      while (i + count < bytes && find(address + i + count) == nullptr) ++count;
      std::vector<std::uint8_t> held(count);
      if (!snapshot_->read(address + i, held)) return {};
      prepend(from_bytes(context, held));
    } else {
      for (; i + count < bytes; ++count) {
        const Slot* next = find(address + i + count);
        if (next == nullptr || next->value != first->value || next->index != first->index + count) break;
      }
      prepend(context.extract((first->index + count) * kByte - 1, first->index * kByte, first->value));
    }
    i += count;
  }
  return result;
}

void Memory::store(std::uint64_t address, smt::Expr value) {
  for (std::uint32_t i = 0; i * kByte < value.width(); ++i) writable(address + i) = {value, i};
}

bool Memory::is_written(std::uint64_t address, std::uint64_t bytes) const {
  for (auto at = position(address / kLine); at != lines_.end() && at->number * kLine < address + bytes; ++at)
    for (std::uint64_t i = 0; i < kLine; ++i) {
      const std::uint64_t byte = at->number * kLine + i;
      if (byte >= address && byte - address < bytes && (*at->slots)[i].value) return true;
    }
  return false;
}

std::vector<Memory::Written> Memory::written() const {
  std::vector<Written> bytes;
  for (const Line& line : lines_)
    for (std::uint64_t i = 0; i < kLine; ++i)
      if (const Slot& slot = (*line.slots)[i]; slot.value)
        bytes.push_back({line.number * kLine + i, slot.value, slot.index});
  return bytes;
}

Memory Memory::with_values(const std::function<smt::Expr(smt::Expr)>& replace) const {
  Memory result = *this;
  for (Line& line : result.lines_) {
    line.slots = std::make_shared<std::array<Slot, kLine>>(*line.slots);
    for (Slot& slot : *line.slots)
      if (slot.value) slot.value = replace(slot.value);
  }
  return result;
}

}  // namespace perfpact::explore
