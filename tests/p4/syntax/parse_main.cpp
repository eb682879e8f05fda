// p4_parse [--dump] [-I DIR]... [-D NAME[=VALUE]]... PROGRAM: parses a program. Exit status 0, or 1 if it is
// wrong.
#include <cstdio>
#include <string>

#include "p4/syntax/parser.h"

int main(int argc, char** argv) {
  perfpact::p4::ParseOptions options;
  std::string path;
  bool with_dump = false;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--dump")
      with_dump = true;
    else if ((argument == "-I" || argument == "-D") && i + 1 < argc)
      (argument == "-I" ? options.include_directories : options.defines).emplace_back(argv[++i]);
    else if (argument.starts_with("-"))
      return std::fprintf(stderr, "p4_parse: unknown option %s\n", argument.c_str()), 2;
    else
      path = argument;
  }
  if (path.empty()) return std::fprintf(stderr, "usage: p4_parse [--dump] [-I DIR] [-D NAME] PROGRAM\n"), 2;
  perfpact::SourceManager sources;
  perfpact::Diagnostics diagnostics(sources);
  auto tree = perfpact::p4::parse_program(path, options, diagnostics);
  std::fputs(diagnostics.render().c_str(), stderr);
  if (!tree) return 1;
  if (with_dump) std::fputs(perfpact::p4::dump(**tree, sources).c_str(), stdout);
  return 0;
}
