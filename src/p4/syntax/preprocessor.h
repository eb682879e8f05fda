// From a file to preprocessed text, in process with clang's preprocessor, set up as
// `cpp -undef -nostdinc -x assembler-with-cpp`: that is how P4 programs expect to be preprocessed.
//
// core.p4 and v1model.p4 are part of this library; they are found in a built-in directory that is searched
// last, for `<core.p4>` as well as for "core.p4".
//
// Every token of the text keeps the place that it has in the files as written: `#line` and `# 12 "file"` are
// honoured, and what a macro expands to is placed where the macro is used. Every file that is read becomes a
// file of the SourceManager (built-in ones as `<core.p4>`), so that carets show.
// Limits: a program file of 32 MB, 1 million tokens or 128 MB after preprocessing.
// Tested by tests/p4/syntax/preprocessor_test.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "p4/syntax/parser.h"

namespace perfpact::p4 {

/// Text without comments and directives, a line end wherever the source has one between two tokens.
class PreprocessedText {
 public:
  /// The token that starts at `offset` is at `begin`. A token from a macro is all of [begin, end).
  struct Place {
    std::uint32_t offset;
    FileId file;
    Position begin;
    Position macro_end;  // line 0: not from a macro
  };

  /// Appends a token's text; `separator` goes before it.
  void append(std::string_view separator, std::string_view token, FileId file, Position begin,
              Position macro_end);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The place of text[begin, end); fast when called with rising offsets. `cursor` starts at 0 and is kept.
  [[nodiscard]] Span span(std::uint32_t begin, std::uint32_t end, std::size_t& cursor) const;

 private:
  [[nodiscard]] Position position(std::size_t place, std::uint32_t offset) const;

  std::string text_;
  std::vector<Place> places_;
};

[[nodiscard]] Result<PreprocessedText> preprocess(const std::string& path, const ParseOptions& options,
                                                  Diagnostics& diagnostics);
/// The same for a program that is not in a file; `name` is what diagnostics call it.
[[nodiscard]] Result<PreprocessedText> preprocess_text(const std::string& name, std::string text,
                                                       const ParseOptions& options, Diagnostics& diagnostics);

}  // namespace perfpact::p4
