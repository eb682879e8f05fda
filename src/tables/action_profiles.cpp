#include "tables/action_profiles.h"

#include <algorithm>

#include "base/check.h"
#include "packet/bit_writer.h"
#include "tables/names.h"

namespace perfpact::tables {

void ActionProfiles::declare(const TableSchema& table) {
  if (!table.implementation) return;
  const ProfileSchema& declared = *table.implementation;
  if (std::ranges::find(profiles_, declared.name, &Profile::name) == profiles_.end())
    profiles_.push_back({declared.name, declared.selector.has_value(), &table, {}, {}});
}

ActionProfiles::Profile* ActionProfiles::find(std::string_view name, const Span& span,
                                              Diagnostics& diagnostics) {
  const auto index = resolve_name(profiles_, name, span, diagnostics, diag::kUnknownProfile);
  return index ? &profiles_[*index] : nullptr;
}

ActionProfiles::Profile* ActionProfiles::of_table(const TableSchema& table, const Span& span,
                                                  Diagnostics& diagnostics) {
  if (table.implementation) return find(table.implementation->name, span, diagnostics);
  diagnostics.report(diag::kDirectTable, span, table.name);
  return nullptr;
}

void ActionProfiles::add_member(Profile& profile, std::uint64_t id, const ActionCall& action,
                                const Span& span, Diagnostics& diagnostics) {
  const ActionSchema& schema = profile.table->actions.at(action.action);
  if (!profile.members.try_emplace(id, Member{schema.name, action.arguments}).second)
    diagnostics.report(diag::kProfileTwice, span, profile.name, "member", id);
}

void ActionProfiles::add_group(Profile& profile, std::uint64_t id, const Span& span,
                               Diagnostics& diagnostics) {
  if (!profile.is_selector)
    diagnostics.report(diag::kNoSelector, span, profile.name);
  else if (!profile.groups.try_emplace(id).second)
    diagnostics.report(diag::kProfileTwice, span, profile.name, "group", id);
}

void ActionProfiles::add_to_group(Profile& profile, std::uint64_t group, std::uint64_t member,
                                  const Span& span, Diagnostics& diagnostics) {
  const auto found = profile.groups.find(group);
  if (found == profile.groups.end()) {
    diagnostics.report(diag::kNotInProfile, span, profile.name, "group", group);
    return;
  }
  if (!profile.members.contains(member)) {
    diagnostics.report(diag::kNotInProfile, span, profile.name, "member", member);
    return;
  }
  auto& members = found->second;
  const auto place = std::ranges::lower_bound(members, member);
  if (place != members.end() && *place == member)
    diagnostics.report(diag::kProfileTwice, span, profile.name, fmt::format("group {} with member", group),
                       member);
  else
    members.insert(place, member);
}

bool ActionProfiles::resolve(const TableSchema& table, Indirect& indirect, const Span& span,
                             Diagnostics& diagnostics) const {
  if (!indirect.refers()) return true;
  PERFPACT_CHECK(table.implementation.has_value(), "table '{}' has no action profile", table.name);
  const auto profile = std::ranges::find(profiles_, table.implementation->name, &Profile::name);
  PERFPACT_CHECK(profile != profiles_.end(), "no action profile '{}'", table.implementation->name);
  std::vector<std::uint64_t> members;
  if (indirect.member) {
    members.push_back(*indirect.member);
  } else if (const auto group = profile->groups.find(*indirect.group); group == profile->groups.end()) {
    diagnostics.report(diag::kNotInProfile, span, profile->name, "group", *indirect.group);
    return false;
  } else {
    members = group->second;
  }
  if (members.empty()) {
    diagnostics.report(diag::kEmptyGroup, span, profile->name, *indirect.group);
    return false;
  }
  for (std::uint64_t id : members) {
    const auto member = profile->members.find(id);
    if (member == profile->members.end()) {
      diagnostics.report(diag::kNotInProfile, span, profile->name, "member", id);
      return false;
    }
    const auto action = std::ranges::find(table.actions, member->second.action, &ActionSchema::name);
    if (action == table.actions.end()) {
      diagnostics.report(diag::kUnknownAction, span, table.name, member->second.action,
                         did_you_mean(member->second.action, names_of(table.actions)));
      return false;
    }
    indirect.actions.push_back(
        {static_cast<std::uint32_t>(action - table.actions.begin()), member->second.arguments});
  }
  return true;
}

std::size_t choose_member(const TableSchema& table, std::span<const Integer> key, std::size_t count) {
  if (count == 1) return 0;
  PERFPACT_CHECK(table.implementation && table.implementation->selector, "table '{}' has no selector",
                 table.name);
  packet::BitWriter data;
  for (std::size_t i = 0; i < table.keys.size(); ++i)
    if (table.keys[i].kind == MatchKind::Selector) data.append(key[i], table.keys[i].width);
  return static_cast<std::size_t>(packet::hash_value(*table.implementation->selector, data.take()) % count);
}

}  // namespace perfpact::tables
