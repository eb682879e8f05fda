// Checks the invariants of the core form (core.h). A violation is our own bug: PERFPACT_CHECK.
#pragma once
#include "p4/core/core.h"

namespace perfpact::p4::core {

void verify(const Program& program);

}  // namespace perfpact::p4::core
