// The words of a process's memory.
#pragma once
#include <sys/types.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "process/memory.h"

namespace perfpact::count {

inline constexpr std::uint64_t kWord = sizeof(std::uint64_t);

[[nodiscard]] inline std::optional<std::uint64_t> read_word(pid_t pid, std::uint64_t address) {
  std::array<std::uint8_t, kWord> bytes{};
  if (!process::read_memory(pid, address, bytes)) return std::nullopt;
  return std::bit_cast<std::uint64_t>(bytes);
}

/// Calls `see(address, word)` for each aligned word that is not zero; where it gives false that is the end.
template <class See>
void for_words(pid_t pid, std::uint64_t begin, std::uint64_t end, const See& see) {
  constexpr std::uint64_t kChunk = 1 << 20;  // bytes read at a time
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t at = begin; at < end; at += kChunk) {
    bytes.resize(std::min(kChunk, end - at));
    if (!process::read_memory(pid, at, bytes)) return;
    for (std::size_t i = 0; i + kWord <= bytes.size(); i += kWord) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, kWord);
      if (word != 0 && !see(at + i, word)) return;
    }
  }
}

}  // namespace perfpact::count
