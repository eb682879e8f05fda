// Parses and checks P4 programs, one line each: `ok FILE`, `parse FILE: first error`, `check FILE: first
// error`, `crash FILE`. Each program runs in a process of its own.
//   check_corpus [-I DIR]... FILE...
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "p4/check/typed_program.h"
#include "p4/syntax/parser.h"

namespace {

using namespace perfpact;

std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.kind->severity != Severity::Error) continue;
    return fmt::format("{}: {} [{}]", diagnostics.sources().describe(diagnostic.span), diagnostic.message,
                       diagnostic.kind->id);
  }
  return "no error told";
}

int run(const std::string& path, const p4::ParseOptions& options) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  auto ast = p4::parse_program(path, options, diagnostics);
  if (!ast) {
    fmt::print("parse {}: {}\n", path, first_error(diagnostics));
    return 0;
  }
  auto program = p4::check(std::shared_ptr<const p4::ast::Ast>(std::move(*ast)), diagnostics);
  if (program) {
    fmt::print("ok {}\n", path);
  } else {
    fmt::print("check {}: {}\n", path, first_error(diagnostics));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  p4::ParseOptions options;
  int crashes = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "-I") == 0 && i + 1 < argc) {
      options.include_directories.emplace_back(argv[++i]);
      continue;
    }
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      const int status = run(argv[i], options);
      std::fflush(stdout);
      _exit(status);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    fmt::print("crash {}\n", argv[i]);
    ++crashes;
  }
  return crashes == 0 ? 0 : 1;
}
