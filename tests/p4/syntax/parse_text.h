// Parses a text as a program, for tests.
#pragma once
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "p4/syntax/parser.h"

namespace perfpact::p4 {

/// A folder of files that lives as long as the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "perfpact-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, std::string_view text) const {
    std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct Parsed {
  Folder folder;
  SourceManager sources;
  Diagnostics diagnostics{sources};
  std::unique_ptr<ast::Ast> tree;

  void parse(const std::string& path, const ParseOptions& options = {}) {
    auto result = parse_program(path, options, diagnostics);
    if (result) tree = std::move(*result);
  }
  /// The diagnostics, a line each: `3:7 kind-id message`, notes below with a `+`.
  [[nodiscard]] std::string report() const {
    std::string text;
    for (const Diagnostic& each : diagnostics.all()) {
      text += fmt::format("{}:{} {} {}\n", each.span.begin.line, each.span.begin.column, each.kind->id,
                          each.message);
      for (const Note& note : each.notes)
        text += fmt::format("+ {}:{} {}\n", note.span.begin.line, note.span.begin.column, note.message);
    }
    return text;
  }
  /// What the dump says about the program itself, without its first line.
  [[nodiscard]] std::string dumped() const {
    std::string text = dump(*tree, sources);
    std::size_t start = text.find("file " + folder.path());
    return text.substr(text.find('\n', start) + 1);
  }
};

inline std::unique_ptr<Parsed> parse_text(std::string_view text, const ParseOptions& options = {}) {
  auto parsed = std::make_unique<Parsed>();
  parsed->parse(parsed->folder.write("program.p4", text), options);
  return parsed;
}

}  // namespace perfpact::p4
