#include "count/blocks.h"

#include "count/words.h"
#include "process/mappings.h"

namespace perfpact::count {
namespace {

constexpr std::uint64_t kHead = 2 * kWord;  // in front of a block: the size of what is before it, its own
constexpr std::uint64_t kInUse = 1;         // of a size's low bits: the block before it is in use,
constexpr std::uint64_t kMapped = 2;        // it has a mapping of its own
constexpr std::uint64_t kFlags = 7;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kFollowed = 4096;  // bytes of a block whose pointers are followed
constexpr std::size_t kMostBlocks = 1 << 16;

}  // namespace

std::optional<std::string> Blocks::name(std::uint64_t address) {
  if (auto known = find(address)) return known;
  search();
  return find(address);
}

std::optional<std::string> Blocks::find(std::uint64_t address) const {
  auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return std::nullopt;
  const auto& [begin, block] = *--next;
  if (address >= block.end) return std::nullopt;
  return fmt::format("{}->{:#x}", block.name, address - begin);
}

void Blocks::search() {
  mappings_ = process::read_mappings(image_.pid());
  const process::Module& program = image_.modules().all().front();
  for (const process::Mapping& mapping : mappings_) {
    const std::uint64_t begin = std::max(mapping.begin, program.begin);
    const std::uint64_t end = std::min(mapping.end, program.end);
    if (!mapping.writable || begin >= end) continue;
    for_words(image_.pid(), begin, end, [&](std::uint64_t at, std::uint64_t word) {
      const process::Symbol* symbol = image_.modules().symbol_of(at);
      if (symbol == nullptr || symbol->is_function || at - symbol->address >= symbol->size) return true;
      const std::uint64_t offset = at - symbol->address;
      if (symbol->size == kWord)
        follow(symbol->name, word);
      else
        follow(offset == 0 ? fmt::format("*({})", symbol->name)
                           : fmt::format("*({}+{:#x})", symbol->name, offset),
               word);
      return true;
    });
  }
  while (!unseen_.empty()) {
    const std::uint64_t begin = unseen_.back();
    unseen_.pop_back();
    const Block block = blocks_.at(begin);
    for_words(image_.pid(), begin, std::min(block.end, begin + kFollowed),
              [&](std::uint64_t at, std::uint64_t word) {
                follow(fmt::format("*({}->{:#x})", block.name, at - begin), word);
                return true;
              });
  }
}

void Blocks::follow(const std::string& place, std::uint64_t pointer) {
  if (blocks_.size() == kMostBlocks || find(pointer)) return;
  const auto end = end_of_block(pointer);
  if (!end) return;
  blocks_.emplace(pointer, Block{*end, place});
  unseen_.push_back(pointer);
}

std::optional<std::uint64_t> Blocks::end_of_block(std::uint64_t begin) const {
  const process::Mapping* mapping = process::find_mapping(mappings_, begin);
  if (mapping == nullptr || !mapping->readable || !mapping->writable || begin % kHead != 0 ||
      begin - mapping->begin < kHead)
    return std::nullopt;
  const auto before = read_word(image_.pid(), begin - kHead);
  const auto own = read_word(image_.pid(), begin - kWord);
  if (!before || !own) return std::nullopt;
  const std::uint64_t size = *own & ~kFlags;
  const std::uint64_t room = mapping->end - (begin - kHead);
  if (size < 2 * kHead || size % kHead != 0 || size > room) return std::nullopt;
  if ((*own & kMapped) != 0) {
    const bool fits = (begin - kHead - *before) % kPage == 0 && (*before + size) % kPage == 0;
    return fits ? std::optional(begin - kHead + size) : std::nullopt;
  }
  const auto next = read_word(image_.pid(), begin - kWord + size);
  if (!next || (*next & kInUse) == 0 || (*next & ~kFlags) > room - size) return std::nullopt;
  return begin - kWord + size;
}

}  // namespace perfpact::count
