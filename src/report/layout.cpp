#include "report/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfpact::report {

TextTable::TextTable(std::vector<Align> columns, std::size_t indent)
    : columns_(std::move(columns)), indent_(indent) {}

std::size_t text_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string TextTable::render() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent_, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string padding(widths[i] - text_width(row[i]), ' ');
      const bool is_left = columns_[std::min(i, columns_.size() - 1)] == Align::Left;
      line += is_left ? row[i] + padding : padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string count_of(std::size_t count, const std::string& singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

}  // namespace perfpact::report
