// Diagnostics: what is wrong with the user's input, collected, then printed like clang's:
//
//   l3.p4:40:9: error: there is no table 'ipv4_fb' [unknown-table]
//           ipv4_fb.apply();
//           ^~~~~~~
//   l3.p4:21:11: note: did you mean 'ipv4_fib'?
//
// Every kind is a constant in a stage's `diagnostics.h`, with an id of its own that is printed in brackets;
// tests/diagnostics_covered checks that some test triggers each. Functions that can meet wrong input take a
// `Diagnostics&` and give `Result<T>`: the error arm proves that something was reported.
// Tested by tests/base/diagnostics_test.cpp.
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <deque>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace perfpact {

enum class Severity { Note, Warning, Error };

/// A registered kind of diagnostic. `format` is a fmt string.
struct DiagnosticKind {
  std::string_view id;
  Severity severity;
  std::string_view format;
};

struct Note {
  Span span;
  std::string message;
};

struct Diagnostic {
  const DiagnosticKind* kind;
  Span span;
  std::string message;
  std::vector<Note> notes;
};

/// Proof that an error was reported; only Diagnostics makes one.
class Reported {
  friend class Diagnostics;
  Reported() = default;
};

template <class T>
using Result = std::expected<T, Reported>;

class Diagnostics {
 public:
  explicit Diagnostics(SourceManager& sources) : sources_(sources) {}
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  /// Reports an error or a warning at a place. A kind reported twice at the same place with the same text
  /// is kept once. Use as `return std::unexpected(diagnostics.report(kKind, span, arguments...))`.
  template <class... Arguments>
  Reported report(const DiagnosticKind& kind, const Span& span, const Arguments&... arguments) {
    add({&kind,
         span,
         fmt::vformat(fmt::string_view(kind.format.data(), kind.format.size()),
                      fmt::make_format_args(arguments...)),
         {}});
    return {};
  }
  /// Adds a note to the last diagnostic reported.
  void note(const Span& span, std::string message);

  [[nodiscard]] bool has_errors() const { return error_count_ > 0; }
  [[nodiscard]] std::size_t error_count() const { return error_count_; }
  /// For a caller that finds errors already reported and stops. has_errors() must hold.
  [[nodiscard]] Reported already_reported() const;

  [[nodiscard]] const std::deque<Diagnostic>& all() const { return diagnostics_; }
  /// The whole text, at most `limit` errors, then a line that counts the rest.
  [[nodiscard]] std::string render(std::size_t limit = 20) const;

  [[nodiscard]] SourceManager& sources() { return sources_; }
  [[nodiscard]] const SourceManager& sources() const { return sources_; }

 private:
  void add(Diagnostic diagnostic);
  void render_place(std::string& out, const Span& span) const;

  SourceManager& sources_;
  std::deque<Diagnostic> diagnostics_;
  std::size_t error_count_ = 0;
  bool last_was_duplicate_ = false;
};

/// Reads a whole file, registers it, and reports a missing file, a directory, an unreadable file.
[[nodiscard]] Result<FileId> read_source(const std::string& path, Diagnostics& diagnostics);

namespace diag {
inline constexpr DiagnosticKind kCannotRead{"cannot-read", Severity::Error, "cannot read '{}': {}"};
}  // namespace diag

}  // namespace perfpact
