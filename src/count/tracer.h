// What one call of the entry executes, as it is stepped, and where in memory it goes.
#pragma once
#include "count/blocks.h"
#include "count/count.h"
#include "process/live.h"
#include "x86/executed.h"

namespace perfpact::count {

class Tracer {
 public:
  /// Notes what the options want: instructions, accesses by the names of their places, or nothing. They
  /// outlive it.
  Tracer(const process::LiveProcess& program, const Image& image, const Options& options)
      : program_(program), image_(image), options_(options), blocks_(image) {}

  /// The thread stands at the entry; `packet` is where the packet is, and how long.
  void begin(std::uint64_t stack, std::uint64_t packet, std::uint64_t length);
  /// An instruction, or an iteration of it, is about to be executed, and was: in this call of a method.
  void execute(const user_regs_struct& registers, const process::Step& step, bool is_first);
  void executed(std::optional<std::size_t> call);
  /// Into the packet.
  void end(PacketCount& packet);

 private:
  [[nodiscard]] std::string place_of(std::uint64_t address);

  const process::LiveProcess& program_;
  const Image& image_;
  const Options& options_;
  Blocks blocks_;
  std::uint64_t stack_ = 0, packet_ = 0, length_ = 0;
  std::optional<process::Mapping> stack_mapping_;
  x86::Executed pending_;
  std::vector<x86::Executed> trace_;
  std::vector<Access> accesses_;
};

}  // namespace perfpact::count
