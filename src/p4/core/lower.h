// From a checked program to the core form: everything instantiated from `main`, generics specialised,
// v1model's pipeline with its traffic manager as code. What is not lowered yet is reported ("not supported
// yet: ...").
#pragma once
#include "base/diagnostics.h"
#include "p4/check/typed_program.h"
#include "p4/core/core.h"

namespace perfpact::p4 {

[[nodiscard]] Result<std::unique_ptr<core::Program>> lower(const TypedProgram& program,
                                                           const std::string& name, Diagnostics& diagnostics);

}  // namespace perfpact::p4
