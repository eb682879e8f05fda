#include "packet/capture.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "packet/diagnostics.h"
#include "packet/pcap_handle.h"

namespace perfpact::packet {
namespace {

Result<PcapHandle> open(const std::string& path, const Span& at, Diagnostics& diagnostics) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return std::unexpected(
        diagnostics.report(perfpact::diag::kCannotRead, at, path, "it is a directory, not a file"));
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file)
    return std::unexpected(diagnostics.report(perfpact::diag::kCannotRead, at, path, std::strerror(errno)));
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size == 0) return std::unexpected(diagnostics.report(diag::kCaptureEmpty, at, path));

  std::array<char, PCAP_ERRBUF_SIZE> message{};
  PcapHandle capture(
      pcap_fopen_offline_with_tstamp_precision(file.get(), PCAP_TSTAMP_PRECISION_NANO, message.data()));
  if (!capture) return std::unexpected(diagnostics.report(diag::kCaptureFormat, at, path, message.data()));
  file.release();  // pcap_close closes it
  const int link = pcap_datalink(capture.get());
  if (link != DLT_EN10MB) {
    const char* name = pcap_datalink_val_to_name(link);
    return std::unexpected(diagnostics.report(diag::kCaptureLinkType, at, path,
                                              name != nullptr ? std::string(name) : std::to_string(link)));
  }
  return capture;
}

}  // namespace

Result<std::vector<CapturedPacket>> read_capture(const std::string& path, const Span& at,
                                                 Diagnostics& diagnostics) {
  auto capture = open(path, at, diagnostics);
  if (!capture) return std::unexpected(capture.error());
  std::vector<CapturedPacket> packets;
  std::size_t cut = 0;
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  int status = 0;
  while ((status = pcap_next_ex(capture->get(), &header, &data)) == 1) {
    if (header->len > kLongestPacket)
      return std::unexpected(diagnostics.report(
          diag::kCaptureFormat, at, path,
          fmt::format("packet {} claims a length of {} bytes", packets.size() + 1, header->len)));
    const TimeStamp time{header->ts.tv_sec, static_cast<std::int32_t>(header->ts.tv_usec)};
    CapturedPacket& packet = packets.emplace_back(Bytes(data, data + header->caplen), time);
    if (header->caplen < header->len) {
      ++cut;
      packet.bytes.resize(header->len);
    }
  }
  if (status != PCAP_ERROR_BREAK)
    return std::unexpected(
        diagnostics.report(diag::kTruncatedCapture, at, path, packets.size(), pcap_geterr(capture->get())));
  if (cut > 0) diagnostics.report(diag::kCutPackets, at, cut, packets.size(), path);
  return packets;
}

}  // namespace perfpact::packet
