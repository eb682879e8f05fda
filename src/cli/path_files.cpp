#include "cli/path_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/diagnostics.h"
#include "packet/capture.h"

namespace perfpact::cli {

Result<void> write_capture(const std::string& name, const std::vector<std::uint8_t>& packet,
                           const std::string& directory, Diagnostics& diagnostics) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    return std::unexpected(diagnostics.report(diag::kCannotMakeDirectory, {}, directory, error.message()));
  const auto file = std::filesystem::path(directory) / (name + ".pcap");
  auto writer = packet::CaptureWriter::create(file.string(), packet::CaptureWriter::Precision::Microseconds,
                                              diagnostics);
  if (!writer) return std::unexpected(writer.error());
  writer->write(packet, {});
  return writer->finish(diagnostics);
}

Result<void> write_text(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return {};
  return std::unexpected(diagnostics.report(diag::kCannotWriteFile, {}, file, std::strerror(errno)));
}

}  // namespace perfpact::cli
