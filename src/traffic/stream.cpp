#include "traffic/stream.h"

namespace perfpact::traffic {

StreamRun::StreamRun(Stream& stream) : stream_(stream) {
  for (const Stream::Source& source : stream.sources) {
    draws_.emplace_back(source.options);
    values_.emplace_back(source.flows->values().size());
  }
}

std::span<const std::uint8_t> StreamRun::next(Random& random) {
  for (std::size_t s = 0; s < draws_.size(); ++s)
    stream_.sources[s].flows->get(draws_[s].next(random), values_[s]);
  for (const Stream::Field& field : stream_.fields) {
    Wide value = 0;
    if (field.own) {
      const std::uint64_t drawn = random();  // compilers differ in which of two arguments they evaluate first
      value = field.own->at(below(random, field.own->choices()), number_, drawn);
    } else {
      value = values_[field.source][field.value];
    }
    stream_.packet.set(field.place, value);
  }
  ++number_;
  return stream_.packet.bytes();
}

}  // namespace perfpact::traffic
