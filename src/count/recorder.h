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
  /// A method's first instruction is reached; `handle` is the argument that Image::Method::structure names.
  void enter(std::uint64_t method, std::uint64_t handle, const process::Counts& counts);
  /// The innermost method has ended: has returned with this in rax, or was left in another way.
  void leave(std::optional<std::uint64_t> rax, const process::Counts& counts);
  /// The instruction of a mark is about to be executed.
  void mark(std::uint64_t address);
  /// The call out of the entry's own code that goes on, its place in PacketCount::calls.
  [[nodiscard]] std::optional<std::size_t> call() const;
  [[nodiscard]] PacketCount end(PacketCount::Ending ending, const process::Counts& counts);

 private:
  struct Frame {
    std::uint64_t method = 0;
    std::string prefix;  // of its PCVs
  };
  [[nodiscard]] const Image::Method& method_at(std::uint64_t address) const;
  void end_call(const Image::Method& method, const process::Counts& counts);

  const Image& image_;
  Structures& structures_;
  PacketCount packet_;
  std::vector<Frame> frames_;
  std::size_t outer_ = 0;  // of frames_ those outside the call that goes on
  bool is_in_call_ = false;
  process::Counts entered_;  // when it began
};

}  // namespace perfpact::count
