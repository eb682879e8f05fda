// Text in columns.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace perfpact::report {

/// Rows of cells. Columns are as wide as their widest cell, two spaces apart; lines have no trailing spaces.
class TextTable {
 public:
  enum class Align { Left, Right };
  /// One alignment per column; further columns are aligned like the last.
  explicit TextTable(std::vector<Align> columns, std::size_t indent = 0);

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] std::string render() const;

 private:
  std::vector<Align> columns_;
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

/// The number of characters of UTF-8 text.
[[nodiscard]] std::size_t text_width(const std::string& text);

/// `1 packet`, `3 packets`.
[[nodiscard]] std::string count_of(std::size_t count, const std::string& singular);

}  // namespace perfpact::report
