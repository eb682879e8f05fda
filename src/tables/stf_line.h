// One line of an STF file, read from left to right.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace perfpact::tables::stf {

/// A piece of the line as it is meant: names without their quotes.
struct Piece {
  std::string text;
  Span span;
};

class Line {
 public:
  /// `text` without the line's end; a comment is cut off.
  Line(std::string_view text, FileId file, std::uint32_t number, Diagnostics& diagnostics);

  [[nodiscard]] bool at_end();
  /// The next character that is not blank; 0 at the end.
  [[nodiscard]] char peek();
  bool take(char c);
  [[nodiscard]] Span whole() const { return span(begin_, text_.size()); }

  // Each reports stf-expected where the line goes on otherwise.
  [[nodiscard]] Result<void> expect(char c);
  [[nodiscard]] Result<void> expect_end();
  /// Letters, digits, `$`, `_`, or any text in quotes.
  [[nodiscard]] Result<Piece> identifier(std::string_view what);
  /// Identifiers joined by `.`, each with `[index]` or not.
  [[nodiscard]] Result<Piece> qualified_name(std::string_view what);
  /// Decimal, 0x, 0b, with `*` for digits.
  [[nodiscard]] Result<Piece> number(std::string_view what);
  /// A decimal, 0x or 0b number up to 2^64 - 1.
  [[nodiscard]] Result<std::uint64_t> small_number(std::string_view what);
  /// The characters of `set` that come next, white space between them left out; may be none.
  [[nodiscard]] Piece characters(std::string_view set);
  [[nodiscard]] Reported report_expected(std::string_view what);

 private:
  [[nodiscard]] Span span(std::size_t from, std::size_t to) const;
  void skip_blank();

  std::string_view text_;
  FileId file_;
  std::uint32_t number_;
  Diagnostics& diagnostics_;
  std::size_t begin_ = 0;
  std::size_t at_ = 0;
};

}  // namespace perfpact::tables::stf
