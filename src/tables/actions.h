// Action calls as people write them, resolved against a table.
#pragma once
#include "tables/table_set.h"
#include "tables/values.h"

namespace perfpact::tables {

enum class ActionUse { Entry, Default };

struct Argument {
  std::optional<Word> name;  // all arguments of a call have one, or none has
  Word value;
};

/// The call of the action `name` of a table. Reports an unknown action (also one of another table), a wrong
/// number of arguments, unknown or missing parameters, @defaultonly in an entry and @tableonly as a default.
[[nodiscard]] Result<ActionCall> make_action_call(const TableSchema& schema, const Word& name,
                                                  const std::vector<Argument>& arguments, ActionUse use,
                                                  Diagnostics& diagnostics);

/// The same from text: `set_bd(1)`, `NoAction`, `a(1, 10.0.0.1)`, `a(port: 1)`.
[[nodiscard]] Result<ActionCall> read_action_call(const TableSchema& schema, const Word& text, ActionUse use,
                                                  Diagnostics& diagnostics);

/// Sets the default action; reports table-const-default where the program's is const and another one.
void set_default_action(TableSet& tables, TableId table, ActionCall action, const Span& span,
                        Diagnostics& diagnostics);

/// The same with a member or group of the table's action profile.
void set_default_indirect(TableSet& tables, TableId table, Indirect indirect, const Span& span,
                          Diagnostics& diagnostics);

}  // namespace perfpact::tables
