// The entries of one table: packed rows in one array, a column each for priority and origin, a record of what
// a look-up wants to know. What consecutive entries share (action, place) is kept once, so a generated entry
// of up to 64 key bits takes 24 to 40 bytes.
#pragma once
#include <deque>

#include "tables/hash_slots.h"
#include "tables/key_layout.h"

namespace perfpact::tables {

class EntryStore {
 public:
  explicit EntryStore(const TableSchema& schema);

  [[nodiscard]] const KeyLayout& layout() const { return layout_; }
  [[nodiscard]] std::size_t size() const { return origins_.size(); }

  void add(const Entry& entry);
  /// Names what entries added by add_packed() share.
  [[nodiscard]] std::uint32_t add_origin(ActionCall action, const Span& span, Indirect indirect = {});
  /// Rows as KeyLayout::pack_matches makes them.
  void add_packed(std::span<const std::uint64_t> first, std::span<const std::uint64_t> second,
                  std::int64_t priority, std::uint32_t origin);
  void reserve(std::size_t entries);

  /// Puts the entries into canonical order (table_set.h); entries that are equal in it keep their order.
  void sort();

  /// For a table whose entries have actions of their own.
  void pack_actions(const TableSchema& schema);

  [[nodiscard]] std::span<const std::uint64_t> first(std::size_t entry) const {
    return {rows_.data() + entry * stride_, layout_.words()};
  }
  [[nodiscard]] std::span<const std::uint64_t> second(std::size_t entry) const {
    if (layout_.is_exact()) return layout_.full_mask();
    return {rows_.data() + entry * stride_ + layout_.words(), layout_.words()};
  }
  /// 0 in a table without priorities.
  [[nodiscard]] std::int64_t priority(std::size_t entry) const {
    return has_priorities_ ? priorities_[entry] : 0;
  }
  /// Meaningless where indirect() has actions.
  [[nodiscard]] const ActionCall& action(std::size_t entry) const { return actions_[records_[entry].action]; }
  /// The same as action_words() makes it; once pack_actions() has packed those of all entries.
  [[nodiscard]] const std::uint64_t* action_words(std::uint32_t words) const { return words_.data() + words; }
  [[nodiscard]] std::uint32_t words(std::size_t entry) const {
    return words_begin_.empty() ? 0 : words_begin_[records_[entry].action];
  }
  [[nodiscard]] const Indirect& indirect(std::size_t entry) const {
    return shared_[origins_[entry]].indirect;
  }
  /// Its number in the order in which the entries were added.
  [[nodiscard]] std::uint32_t number(std::size_t entry) const { return records_[entry].number; }
  /// Calls `resolve(indirect, span)` for what refers to an action profile.
  template <class Resolve>
  void resolve(Resolve resolve) {
    for (Origin& origin : shared_)
      if (origin.indirect.refers()) resolve(origin.indirect, origin.span);
  }
  [[nodiscard]] const Span& span(std::size_t entry) const { return shared_[origins_[entry]].span; }
  [[nodiscard]] unsigned prefix_length(std::size_t entry) const { return records_[entry].prefix_length; }

 private:
  struct Origin {
    std::uint32_t action;  // index into actions_
    Span span;
    Indirect indirect;
  };
  /// What a look-up needs of its winner, in one place.
  struct Record {
    std::uint32_t action;  // index into actions_
    std::uint32_t number;
    std::uint32_t prefix_length;
  };

  KeyLayout layout_;
  std::size_t stride_;
  bool has_priorities_;
  bool ranks_by_prefix_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::int64_t> priorities_;  // only with priorities
  std::vector<std::uint32_t> origins_;    // index into shared_
  std::vector<Record> records_;
  std::deque<Origin> shared_;
  std::deque<ActionCall> actions_;          // each once; never moves: LookupResult points into it
  std::vector<std::uint64_t> words_;        // of the actions
  std::vector<std::uint32_t> words_begin_;  // per action
  HashSlots action_slots_;
};

}  // namespace perfpact::tables
