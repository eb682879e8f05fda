// libFuzzer target: any bytes are parsed or refused. Built with the preset `fuzz`; run with a folder of
// programs.
#include <cstdint>
#include <fstream>

#include "parse_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const perfpact::p4::Folder folder;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  perfpact::SourceManager sources;
  perfpact::Diagnostics diagnostics(sources);
  auto tree = perfpact::p4::parse_program(folder.write("program.p4", text), {}, diagnostics);
  if (tree) static_cast<void>(perfpact::p4::dump(**tree, sources));
  return 0;
}
