// What `perfpact derive` prints.
//
//   hash_map_get        hit   instructions  18*t + 28*c + 65  exact: all ways through the code
//                             loads         5*t + 9*c + 20    exact: all ways through the code
//   flow_table_expire   done  instructions  90*e + 12         bounded: up to 12 above 5000 calls, 1.25 on
//   average
//
// `exact: 12345 calls`: as many real calls cost just this. `bounded: no calls`: none was seen.
#pragma once
#include "derive/derive.h"

namespace perfpact::report {

[[nodiscard]] std::string to_text(const std::vector<derive::DerivedMethod>& derived);

}  // namespace perfpact::report
