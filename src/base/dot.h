// Text in Graphviz's DOT language.
#pragma once
#include <string>
#include <string_view>

namespace perfpact {

/// What stands between double quotes for the text: one line; a caller who wants two writes `\n` between them.
[[nodiscard]] inline std::string dot_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace perfpact
