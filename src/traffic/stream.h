// A stream of packets that are alike: headers and payload, of which some fields differ from flow to flow or
// from packet to packet. Tested by tests/traffic/generator_test.cpp.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "packet/template.h"
#include "traffic/draw.h"
#include "traffic/flow_set.h"

namespace perfpact::traffic {

using FlowSets = std::map<std::string, FlowSet, std::less<>>;

class Stream {
 public:
  /// Where the flows of a stream come from.
  struct Source {
    std::string name;
    const FlowSet* flows = nullptr;
    DrawOptions options;
  };
  /// A field that differs: it has a value of a flow, or a value of the packet's own.
  struct Field {
    packet::FieldPlace place;
    std::size_t source = 0;
    std::size_t value = 0;
    std::optional<Value> own;
  };

  std::uint32_t weight = 1;
  std::uint32_t port = 0;
  std::vector<Source> sources;
  std::vector<Field> fields;
  packet::Template packet;
};

/// Makes the packets of a stream, one after the other.
class StreamRun {
 public:
  explicit StreamRun(Stream& stream);
  /// Stays until the next call.
  [[nodiscard]] std::span<const std::uint8_t> next(Random& random);

 private:
  Stream& stream_;
  std::vector<Draw> draws_;
  std::vector<std::vector<Wide>> values_;  // of the flow drawn from each source
  std::uint64_t number_ = 0;
};

}  // namespace perfpact::traffic
