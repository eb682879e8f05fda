// What the views of a prediction are made from.
#pragma once
#include <span>
#include <string>

#include "base/source.h"
#include "cost/pricing.h"
#include "tables/table_set.h"
#include "workload/weigh.h"
#include "workload/workload.h"

namespace perfpact::report {

/// A prediction by one or more cost models; all parts outlive the view.
struct PredictionView {
  std::string program;  // as the user named it
  const workload::Workload& workload;
  const workload::WeightedCases& cases;
  std::span<const cost::Prediction> predictions;  // at least one
  const tables::TableSet& tables;
  const SourceManager& sources;
};

}  // namespace perfpact::report
