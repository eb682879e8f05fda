#include <algorithm>
#include <utility>

#include "tables/actions.h"
#include "tables/diagnostics.h"
#include "tables/stf.h"

namespace perfpact::tables::stf {

void Installed::apply(const Control& control, const Span& span, Diagnostics& diagnostics) {
  std::visit([&](const auto& one) { apply(one, span, diagnostics); }, control);
}

void Installed::apply(const AddEntry& add, const Span& /*span*/, Diagnostics& /*diagnostics*/) {
  entries_.push_back(add);
}

void Installed::apply(const SetDefault& set, const Span& span, Diagnostics& /*diagnostics*/) {
  defaults_.emplace_back(set.table, Default{set.action, span});
}

void Installed::apply(const RemoveAll& /*remove*/, const Span& /*span*/, Diagnostics& /*diagnostics*/) {
  entries_.clear();
}

void Installed::apply(const AddSession& add, const Span& /*span*/, Diagnostics& /*diagnostics*/) {
  std::erase_if(sessions_, [&](const AddSession& one) { return one.session == add.session; });
  sessions_.push_back(add);
}

void Installed::apply(const DeleteSession& remove, const Span& /*span*/, Diagnostics& /*diagnostics*/) {
  std::erase_if(sessions_, [&](const AddSession& one) { return one.session == remove.session; });
}

void Installed::apply(const CreateGroup& create, const Span& span, Diagnostics& diagnostics) {
  const auto same = [&](const Group& one) { return one.group.id == create.group; };
  if (std::ranges::any_of(groups_, same))
    diagnostics.report(diag::kDuplicateGroup, span, create.group);
  else
    groups_.push_back({{create.group, {}}, span, {}});
}

void Installed::apply(const CreateNode& create, const Span& /*span*/, Diagnostics& /*diagnostics*/) {
  nodes_.push_back(create);
}

void Installed::apply(const UpdateNode& update, const Span& span, Diagnostics& diagnostics) {
  if (update.node >= nodes_.size())
    diagnostics.report(diag::kUnknownNode, span, update.node);
  else
    nodes_[update.node].ports = update.ports;
}

void Installed::apply(const AssociateNode& associate, const Span& span, Diagnostics& diagnostics) {
  const auto group =
      std::ranges::find(groups_, associate.group, [](const Group& one) { return one.group.id; });
  if (group == groups_.end())
    diagnostics.report(diag::kUnknownGroup, span, associate.group);
  else if (associate.node >= nodes_.size())
    diagnostics.report(diag::kUnknownNode, span, associate.node);
  else
    group->nodes.push_back(associate.node);
}

Result<TableSet> Installed::build(Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  TableSet tables(schemas_);
  for (const auto& [table, set] : defaults_)
    set_default_action(tables, table, set.action, set.span, diagnostics);
  for (const AddEntry& add : entries_) tables.add_entry(add.table, add.entry);
  ControlPlane& plane = tables.control_plane();
  for (const Group& group : groups_) {
    plane.multicast_groups.push_back(group.group);
    for (std::uint64_t node : group.nodes)
      for (std::uint64_t port : nodes_[node].ports)
        plane.multicast_groups.back().replicas.push_back({port, nodes_[node].instance});
  }
  for (const AddSession& add : sessions_) {
    plane.clone_sessions.push_back({add.session, {}, 0});
    auto& replicas = plane.clone_sessions.back().replicas;
    if (!add.is_group)
      replicas.push_back({add.target, 0});
    else if (const auto* group = plane.find_group(add.target); group != nullptr)
      replicas = group->replicas;
  }
  tables.finish(diagnostics, !std::exchange(has_warned_, true));
  if (diagnostics.error_count() > errors) return std::unexpected(diagnostics.already_reported());
  return tables;
}

}  // namespace perfpact::tables::stf
