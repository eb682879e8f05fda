#include "tables/reader.h"

#include <algorithm>

#include "tables/diagnostics.h"

namespace perfpact::tables {
namespace {

enum class Format { Yaml, Json, Commands };

// Whether a line starts with a key that only a tables YAML has.
bool has_yaml_key(std::string_view text) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"schema:", "tables:", "include:"},
                             [text](std::string_view key) {
                               return text.starts_with(key) ||
                                      text.find("\n" + std::string(key)) != std::string_view::npos;
                             });
}

Format detect_format(std::string_view text) {
  if (text[text.find_first_not_of(" \t\r\n")] == '{') return Format::Json;
  return has_yaml_key(text) ? Format::Yaml : Format::Commands;
}

}  // namespace

void read_tables_file(const std::string& path, const Span& included_at, IncludeChain& chain, TableSet& tables,
                      Diagnostics& diagnostics) {
  const auto real = std::filesystem::path(path).lexically_normal();
  std::error_code error;
  auto canonical = std::filesystem::weakly_canonical(real, error);
  if (error) canonical = real;
  if (std::ranges::find(chain, canonical) != chain.end()) {
    std::string way;
    for (const auto& step : chain) way += step.filename().string() + " -> ";
    diagnostics.report(diag::kCyclicInclude, included_at, path, way + canonical.filename().string());
    return;
  }
  const auto file = read_source(path, diagnostics);
  if (!file) {
    if (included_at.is_known()) diagnostics.note(included_at, "included here");
    return;
  }
  const std::string_view text = diagnostics.sources().text(*file);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    diagnostics.report(diag::kEmptyFile, Span{*file, {}, {}}, path);
    return;
  }
  if (text.find('\0') != std::string_view::npos) {
    diagnostics.report(diag::kNotText, Span{*file, {}, {}}, path);
    return;
  }
  chain.push_back(canonical);
  switch (detect_format(text)) {
    case Format::Yaml:
      read_yaml(*file, chain, tables, diagnostics);
      break;
    case Format::Json:
      read_runtime_json(*file, tables, diagnostics);
      break;
    case Format::Commands:
      read_commands(*file, tables, diagnostics);
      break;
  }
  chain.pop_back();
}

void check_action_set(const ActionProfiles::Profile& profile, std::size_t actions, const Span& span,
                      Diagnostics& diagnostics) {
  if (actions == 0)
    diagnostics.report(diag::kEmptyActionSet, span, profile.name);
  else if (actions > 1 && !profile.is_selector)
    diagnostics.report(diag::kNoSelector, span, profile.name);
}

void add_group(TableSet& tables, ControlPlane::Group group, const Span& span, Diagnostics& diagnostics) {
  auto& groups = tables.control_plane().multicast_groups;
  if (std::ranges::find(groups, group.id, &ControlPlane::Group::id) != groups.end())
    diagnostics.report(diag::kDuplicateGroup, span, group.id);
  else
    groups.push_back(std::move(group));
}

void add_session(TableSet& tables, ControlPlane::CloneSession session, const Span& span,
                 Diagnostics& diagnostics) {
  auto& sessions = tables.control_plane().clone_sessions;
  if (std::ranges::find(sessions, session.id, &ControlPlane::CloneSession::id) != sessions.end())
    diagnostics.report(diag::kDuplicateSession, span, session.id);
  else
    sessions.push_back(std::move(session));
}

bool read_tables(const std::string& path, TableSet& tables, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  IncludeChain chain;
  read_tables_file(path, Span{}, chain, tables, diagnostics);
  return diagnostics.error_count() == errors;
}

}  // namespace perfpact::tables
