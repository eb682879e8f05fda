#include "tables/entry_store.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "tables/action_words.h"

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
  records_.push_back(
      {shared_[origin].action, static_cast<std::uint32_t>(origins_.size()), layout_.prefix_length(second)});
  origins_.push_back(origin);
}

void EntryStore::reserve(std::size_t entries) {
  rows_.reserve(entries * stride_);
  if (has_priorities_) priorities_.reserve(entries);
  origins_.reserve(entries);
  records_.reserve(entries);
}

void EntryStore::pack_actions(const TableSchema& schema) {
  words_.clear();
  words_begin_.clear();
  for (const ActionCall& action : actions_) {
    words_begin_.push_back(static_cast<std::uint32_t>(words_.size()));
    const std::vector<std::uint64_t> words = tables::action_words(schema, action);
    words_.insert(words_.end(), words.begin(), words.end());
  }
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
  std::vector<Record> records;
  records.reserve(size());
  for (std::uint32_t entry : order) {
    rows.insert(rows.end(), rows_.data() + entry * stride_, rows_.data() + (entry + 1) * stride_);
    origins.push_back(origins_[entry]);
    records.push_back(records_[entry]);
  }
  rows_ = std::move(rows);
  origins_ = std::move(origins);
  records_ = std::move(records);
  if (!has_priorities_) return;
  for (std::size_t i = 0; i < order.size(); ++i) priorities_[i] = ranking[order[i]];
}

}  // namespace perfpact::tables
