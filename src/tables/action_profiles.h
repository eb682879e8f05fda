// Action profiles and selectors: members (an action with its data) and groups of members, by the ids that the
// control plane gives them.
//
// Which member of a group a packet takes is what behavioral-model 1.15 takes: the members in the order of
// their ids, of which hash modulo their number is chosen; the hash is the selector's algorithm over the
// table's selector keys, one after the other (the selector's output width plays no part). Tested by
// tests/tables/action_profiles_test.cpp.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "tables/schema.h"

namespace perfpact::tables {

class ActionProfiles {
 public:
  struct Member {
    std::string action;  // full name, the same in all tables of the profile
    std::vector<Integer> arguments;
  };
  struct Profile {
    std::string name;
    bool is_selector = false;
    const TableSchema* table = nullptr;  // one that has it: for the names of actions
    std::map<std::uint64_t, Member> members;
    std::map<std::uint64_t, std::vector<std::uint64_t>> groups;  // rising ids of members
  };

  /// Profiles that no table has do not exist. The schemas must outlive this.
  void declare(const TableSchema& table);

  /// By full name or any unique dotted suffix; nothing when it was reported (unknown-action-profile, ...).
  [[nodiscard]] Profile* find(std::string_view name, const Span& span, Diagnostics& diagnostics);
  /// The profile of a table; reports direct-table.
  [[nodiscard]] Profile* of_table(const TableSchema& table, const Span& span, Diagnostics& diagnostics);

  /// Both report an id that exists already; the second also members that do not, and a profile without
  /// groups.
  static void add_member(Profile& profile, std::uint64_t id, const ActionCall& action, const Span& span,
                         Diagnostics& diagnostics);
  static void add_group(Profile& profile, std::uint64_t id, const Span& span, Diagnostics& diagnostics);
  /// A member may be in a group once.
  static void add_to_group(Profile& profile, std::uint64_t group, std::uint64_t member, const Span& span,
                           Diagnostics& diagnostics);

  /// Fills in the actions of a reference; reports a member or group that is not there, a group without
  /// members, and an action that the table has not.
  [[nodiscard]] bool resolve(const TableSchema& table, Indirect& indirect, const Span& span,
                             Diagnostics& diagnostics) const;

 private:
  std::vector<Profile> profiles_;
};

/// The place, below `count`, of the member that a packet takes; `key` is that of the look-up.
[[nodiscard]] std::size_t choose_member(const TableSchema& table, std::span<const Integer> key,
                                        std::size_t count);

}  // namespace perfpact::tables
