#include "tables/action_words.h"

#include "base/check.h"

namespace perfpact::tables {

std::vector<std::uint64_t> action_words(const TableSchema& schema, const ActionCall& action) {
  PERFPACT_CHECK(action.action < schema.actions.size(), "table '{}' has no action {}", schema.name,
                 action.action);
  const ActionSchema& declared = schema.actions[action.action];
  PERFPACT_CHECK(action.arguments.size() == declared.parameters.size(),
                 "action '{}' of table '{}' has {} arguments, needs {}", declared.name, schema.name,
                 action.arguments.size(), declared.parameters.size());
  std::vector<std::uint64_t> words{action.action};
  for (std::size_t i = 0; i < declared.parameters.size(); ++i)
    for (unsigned bit = 0; bit < declared.parameters[i].width; bit += 64)
      words.push_back(static_cast<std::uint64_t>((action.arguments[i] >> bit) & all_ones(64)));
  return words;
}

}  // namespace perfpact::tables
