#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "packet/capture.h"
#include "packet/diagnostics.h"
#include "packet/pcap_handle.h"

namespace perfpact::packet {

struct CaptureWriter::State {
  std::string path;
  std::string partial;  // what is written until it is whole; empty once it is renamed
  Precision precision;
  PcapHandle capture;
  PcapDumper dumper;

  ~State() {
    dumper.reset();
    std::error_code ignored;
    if (!partial.empty()) std::filesystem::remove(partial, ignored);
  }
};

CaptureWriter::CaptureWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
CaptureWriter::CaptureWriter(CaptureWriter&&) noexcept = default;
CaptureWriter::~CaptureWriter() = default;

Result<CaptureWriter> CaptureWriter::create(const std::string& path, Precision precision,
                                            Diagnostics& diagnostics) {
  const auto cannot_write = [&](const std::string& why) {
    return std::unexpected(diagnostics.report(diag::kCaptureCannotWrite, {}, path, why));
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return cannot_write("it is there and no regular file");
  std::string partial = fmt::format("{}.{}.partial", path, getpid());
  FILE* file = std::fopen(partial.c_str(), "wbx");
  if (file == nullptr) return cannot_write(std::strerror(errno));

  auto state = std::make_unique<State>();
  state->path = path;
  state->partial = std::move(partial);
  state->precision = precision;
  state->capture.reset(pcap_open_dead_with_tstamp_precision(
      DLT_EN10MB, kLongestPacket,
      precision == Precision::Nanoseconds ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO));
  state->dumper.reset(pcap_dump_fopen(state->capture.get(), file));
  if (!state->dumper) {
    std::fclose(file);
    return cannot_write(pcap_geterr(state->capture.get()));
  }
  return CaptureWriter(std::move(state));
}

void CaptureWriter::write(std::span<const std::uint8_t> bytes, TimeStamp time) {
  pcap_pkthdr header{};
  header.ts.tv_sec = time.seconds;
  header.ts.tv_usec =
      state_->precision == Precision::Nanoseconds ? time.nanoseconds : time.nanoseconds / 1000;
  header.len = static_cast<bpf_u_int32>(bytes.size());
  header.caplen = std::min<bpf_u_int32>(header.len, kLongestPacket);
  pcap_dump(reinterpret_cast<u_char*>(state_->dumper.get()), &header, bytes.data());
}

Result<void> CaptureWriter::finish(Diagnostics& diagnostics) {
  std::error_code error;
  const bool is_written =
      pcap_dump_flush(state_->dumper.get()) == 0 && std::ferror(pcap_dump_file(state_->dumper.get())) == 0;
  if (!is_written) error = {errno, std::generic_category()};
  state_->dumper.reset();
  if (is_written) std::filesystem::rename(state_->partial, state_->path, error);
  if (!is_written || error)
    return std::unexpected(diagnostics.report(diag::kCaptureCannotWrite, {}, state_->path, error.message()));
  state_->partial.clear();
  return {};
}

}  // namespace perfpact::packet
