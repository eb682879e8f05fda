// Captures of Ethernet packets: pcap and pcapng are read, pcap is written (libpcap). Tested by
// tests/packet/capture_test.cpp.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "packet/packet.h"

namespace perfpact::packet {

/// When a packet was captured, since 1970.
struct TimeStamp {
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;
  auto operator<=>(const TimeStamp&) const = default;
};

struct CapturedPacket {
  Bytes bytes;
  TimeStamp time;
};

/// The packets of a pcap or pcapng file; gzip not. `at` is where the file is named. Reports cannot-read,
/// capture-empty, capture-format, capture-link-type, truncated-capture. The missing end of a packet that was
/// captured in part only is taken as zeros, with the warning capture-cut-packets.
[[nodiscard]] Result<std::vector<CapturedPacket>> read_capture(const std::string& path, const Span& at,
                                                               Diagnostics& diagnostics);

/// Writes a pcap file. It has its name only once it is whole: until finish() another file beside it is
/// written, which goes when the writer does.
class CaptureWriter {
 public:
  enum class Precision { Microseconds, Nanoseconds };
  /// Reports capture-cannot-write, also for a name that stands for anything but a regular file.
  [[nodiscard]] static Result<CaptureWriter> create(const std::string& path, Precision precision,
                                                    Diagnostics& diagnostics);
  CaptureWriter(CaptureWriter&&) noexcept;
  CaptureWriter& operator=(CaptureWriter&&) = delete;
  ~CaptureWriter();

  /// A packet longer than a capture can hold (262144 bytes) is cut, as captures do.
  void write(std::span<const std::uint8_t> bytes, TimeStamp time);
  /// To be called once, last. Reports capture-cannot-write.
  [[nodiscard]] Result<void> finish(Diagnostics& diagnostics);

 private:
  struct State;
  explicit CaptureWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace perfpact::packet
