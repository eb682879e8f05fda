// The JSON view of a prediction: `perfpact.prediction/1`, docs/formats.md, section 10.
//
//   {"schema": "perfpact.prediction/1", "program": "l3-routing.p4", "predictions": [{"cost_model":
//   "cost-per-size",
//    "metric": "latency", "unit": "ms", "estimators": {"min": {"best": 0.114, ...}, "mean": ..., "max": ...},
//    ...}
//
// Cases stand in the order of the prediction, steps in the order of execution. Nothing in it depends on time,
// memory addresses or hash order. Tested by tests/report/json_test.cpp.
#pragma once
#include <string>

#include "report/view.h"

namespace perfpact::report {

enum class JsonNumbers {
  Decimal,   // the nearest double, with all its digits
  Fraction,  // exact, as strings
};

[[nodiscard]] std::string to_json(const PredictionView& view, JsonNumbers numbers);

}  // namespace perfpact::report
