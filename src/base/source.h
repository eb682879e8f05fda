// Source files and places in them. A place is kept as file, line and column, not as an offset, because P4
// text reaches the parser through a preprocessor while its diagnostics speak of the files as written.
#pragma once
#include <compare>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace perfpact {

enum class FileId : std::uint32_t { None = 0 };

/// 1-based line and column (in bytes). Line 0: unknown.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  auto operator<=>(const Position&) const = default;
};

/// From `begin` up to, not including, `end`. A span with file None is nowhere ("built in").
struct Span {
  FileId file = FileId::None;
  Position begin;
  Position end;

  [[nodiscard]] bool is_known() const { return file != FileId::None; }
  auto operator<=>(const Span&) const = default;
};

/// The span from the start of `first` to the end of `last`; `first` where they are in different files.
[[nodiscard]] Span join(const Span& first, const Span& last);

/// Owns the text of every file that was read.
class SourceManager {
 public:
  /// Adds a file under the name it is shown by. The text is kept for carets.
  FileId add(std::string name, std::string text);
  /// The file added under this name, or None.
  [[nodiscard]] FileId find(std::string_view name) const;
  [[nodiscard]] const std::string& name(FileId file) const;
  [[nodiscard]] std::string_view text(FileId file) const;
  /// The text of a line (1-based) without its end; empty where there is none.
  [[nodiscard]] std::string_view line(FileId file, std::uint32_t line) const;
  /// `file:line:column`, `file`, or `<built-in>`.
  [[nodiscard]] std::string describe(const Span& span) const;

 private:
  struct File {
    std::string name;
    std::string text;
    mutable std::vector<std::uint32_t> line_starts;  // filled on first use
  };
  [[nodiscard]] const File& get(FileId file) const;
  std::deque<File> files_;
};

}  // namespace perfpact
