// A derived pack as text: what the methods' file says, with PCVs, costs and the binary they are of.
#pragma once
#include "derive/binary.h"
#include "derive/derive.h"

namespace perfpact::derive {

/// YAML, `schema: perfpact.contract-pack/1`. Methods that were not derived are left out.
[[nodiscard]] std::string to_pack(const library::Pack& methods, const std::vector<DerivedMethod>& derived,
                                  const Binary& binary);

}  // namespace perfpact::derive
