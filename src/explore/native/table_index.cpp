#include "explore/native/table_index.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/check.h"

namespace perfpact::explore {
namespace {

constexpr std::uint64_t kChunk = 1 << 16;  // bytes read at a time

}  // namespace

TableIndex::TableIndex(const Snapshot& snapshot, std::uint64_t low, std::uint64_t high, std::uint64_t step,
                       std::uint32_t bytes) {
  std::unordered_map<std::uint64_t, std::size_t> known;
  std::vector<std::uint8_t> chunk;
  std::uint64_t begin = 0, end = 0;  // of the chunk
  std::size_t latest = 0;
  for (std::uint64_t address = low; address <= high; address += step) {
    if (address < begin || address + bytes > end) {
      begin = address;
      end = std::min(high + bytes, begin + kChunk);
      chunk.resize(end - begin);
      PERFPACT_CHECK(snapshot.read(begin, chunk), "the table at {:#x} cannot be read", begin);
    }
    std::uint64_t value = 0;
    std::memcpy(&value, chunk.data() + (address - begin), bytes);
    const bool goes_on = !values_.empty() && values_[latest].value == value;
    if (!goes_on) {
      const auto [at, is_new] = known.try_emplace(value, values_.size());
      if (is_new) values_.push_back({value, 0, {}});
      latest = at->second;
      values_[latest].runs.push_back({address, address});
    }
    ++values_[latest].entries;
    values_[latest].runs.back().last = address;
  }
  std::ranges::stable_sort(values_, std::greater{}, &Value::entries);
}

}  // namespace perfpact::explore
