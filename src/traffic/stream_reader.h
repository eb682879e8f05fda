// Reads the streams of a recipe: internal to the stage.
#pragma once
#include "base/yaml.h"
#include "traffic/stream.h"

namespace perfpact::traffic {

struct StreamContext {
  const FlowSets& flows;
  const RoutesByName& routes;
  std::uint64_t packets;  // at most so many will be made
};

/// Takes `weight` (where it is one of several), `port`, `flows`, `headers` and `payload` from a mapping that
/// may have more.
[[nodiscard]] Result<Stream> read_stream(YamlMap& map, const StreamContext& context,
                                         Diagnostics& diagnostics);

}  // namespace perfpact::traffic
