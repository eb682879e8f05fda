// What the readers of the three formats share.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tables/actions.h"

namespace perfpact::tables {

/// The files that are being read, outermost first: an `include` of one of them is a cycle.
using IncludeChain = std::vector<std::filesystem::path>;

/// Reads a file of any of the formats. `included_at` is where it is included, if it is.
void read_tables_file(const std::string& path, const Span& included_at, IncludeChain& chain, TableSet& tables,
                      Diagnostics& diagnostics);

/// schema perfpact.tables/1 (docs/formats.md, section 6).
void read_yaml(FileId file, IncludeChain& chain, TableSet& tables, Diagnostics& diagnostics);

/// simple_switch_CLI commands, one a line. A smaller priority wins in such files: priority p becomes -p,
/// which keeps the order among all entries of the command files; an entry of another format with a priority
/// of 0 or more comes before all of them.
void read_commands(FileId file, TableSet& tables, Diagnostics& diagnostics);

/// P4Runtime JSON as the public P4 tutorials use it.
void read_runtime_json(FileId file, TableSet& tables, Diagnostics& diagnostics);

/// Reports a set of actions that an entry brings itself where the profile cannot choose one of them.
void check_action_set(const ActionProfiles::Profile& profile, std::size_t actions, const Span& span,
                      Diagnostics& diagnostics);

/// Report a group or session that exists already.
void add_group(TableSet& tables, ControlPlane::Group group, const Span& span, Diagnostics& diagnostics);
void add_session(TableSet& tables, ControlPlane::CloneSession session, const Span& span,
                 Diagnostics& diagnostics);

}  // namespace perfpact::tables
