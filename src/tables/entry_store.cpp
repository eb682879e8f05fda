#include "tables/entry_store.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/check.h"

namespace perfpact::tables {
namespace {

std::uint64_t hash_of(const ActionCall& action) {
  std::vector<std::uint64_t> words{action.action};
  for (const Integer& argument : action.arguments) export_bits(argument, std::back_inserter(words), 64);
  return hash_words(words);
}

}  // namespace

EntryStore::EntryStore(const TableSchema& schema)
    : layout_(schema.keys),
      stride_(layout_.is_exact() ? layout_.words() : 2 * layout_.words()),
      has_priorities_(schema.has_priorities()),
      ranks_by_prefix_(schema.kind() == to_string(MatchKind::Lpm)) {}

void EntryStore::add(const Entry& entry) {
  std::vector<std::uint64_t> first(layout_.words());
  std::vector<std::uint64_t> second(layout_.words());
  layout_.pack_matches(entry.matches, first, second);
  add_packed(first, second, entry.priority, add_origin(entry.action, entry.span, entry.indirect));
}

std::uint32_t EntryStore::add_origin(ActionCall action, const Span& span, Indirect indirect) {
  const auto next = static_cast<std::uint32_t>(actions_.size());
  std::uint32_t known = action_slots_.find_or_insert(
      hash_of(action), next, [&](std::uint32_t other) { return actions_[other] == action; });
  if (known == HashSlots::kNone) {
    known = next;
    actions_.push_back(std::move(action));
  }
  shared_.push_back({known, span, std::move(indirect)});
  return static_cast<std::uint32_t>(shared_.size() - 1);
}

void EntryStore::add_packed(std::span<const std::uint64_t> first, std::span<const std::uint64_t> second,
                            std::int64_t priority, std::uint32_t origin) {
  rows_.insert(rows_.end(), first.begin(), first.end());
  if (!layout_.is_exact()) rows_.insert(rows_.end(), second.begin(), second.end());
  if (has_priorities_) priorities_.push_back(priority);
  if (layout_.has_prefix()) prefixes_.push_back(static_cast<std::uint16_t>(layout_.prefix_length(second)));
  if (!numbers_.empty()) numbers_.push_back(static_cast<std::uint32_t>(origins_.size()));
  origins_.push_back(origin);
  action_of_.push_back(shared_[origin].action);
}

void EntryStore::reserve(std::size_t entries) {
  rows_.reserve(entries * stride_);
  if (has_priorities_) priorities_.reserve(entries);
  origins_.reserve(entries);
  action_of_.reserve(entries);
}

void EntryStore::sort() {
  if (!has_priorities_ && !ranks_by_prefix_) return;
  std::vector<std::int64_t> ranking(size());
  for (std::size_t i = 0; i < size(); ++i)
    ranking[i] = has_priorities_ ? priorities_[i] : static_cast<std::int64_t>(prefix_length(i));
  if (std::ranges::is_sorted(ranking, std::greater{})) return;

  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t entry) { return ranking[entry]; });

  std::vector<std::uint64_t> rows;
  rows.reserve(rows_.size());
  std::vector<std::uint32_t> origins;
  origins.reserve(size());
  std::vector<std::uint32_t> numbers;
  numbers.reserve(size());
  std::vector<std::uint16_t> prefixes;
  for (std::uint32_t entry : order) {
    rows.insert(rows.end(), rows_.data() + entry * stride_, rows_.data() + (entry + 1) * stride_);
    origins.push_back(origins_[entry]);
    numbers.push_back(number(entry));
    if (!prefixes_.empty()) prefixes.push_back(prefixes_[entry]);
  }
  rows_ = std::move(rows);
  origins_ = std::move(origins);
  for (std::size_t i = 0; i < size(); ++i) action_of_[i] = shared_[origins_[i]].action;
  numbers_ = std::move(numbers);
  prefixes_ = std::move(prefixes);
  if (!has_priorities_) return;
  for (std::size_t i = 0; i < order.size(); ++i) priorities_[i] = ranking[order[i]];
}

}  // namespace perfpact::tables
