// What happens during a call of the entry, added up. Every engine tells it the same events in the same order.
#pragma once
#include "count/count.h"
#include "count/image.h"
#include "count/structures.h"

namespace perfpact::count {

class Recorder {
 public:
  Recorder(const Image& image, Structures& structures) : image_(image), structures_(structures) {}

  // Counts are those since begin().
  void begin(std::optional<packet::Bytes> packet);
  /// A method's first instruction is reached; `handle` is its first argument.
  void enter(std::uint64_t method, std::uint64_t handle, const process::Counts& counts);
  /// The innermost method has returned.
  void leave(const process::Counts& counts);
  /// The instruction of a mark is about to be executed.
  void mark(std::uint64_t address);
  [[nodiscard]] PacketCount end(PacketCount::Ending ending, const process::Counts& counts);

 private:
  struct Frame {
    std::uint64_t method = 0;
    std::string prefix;  // of its PCVs
  };
  const Image& image_;
  Structures& structures_;
  PacketCount packet_;
  std::vector<Frame> frames_;
  process::Counts entered_;  // at the outermost of them
};

}  // namespace perfpact::count
