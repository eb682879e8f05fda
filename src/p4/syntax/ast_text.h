// Helper of the two files that turn a tree into text.
#pragma once
#include <string>

namespace perfpact::p4::ast {

/// The texts of the elements, `, ` between them.
template <class Range, class Text>
std::string join_text(const Range& elements, const Text& text) {
  std::string result;
  for (const auto& element : elements) {
    if (!result.empty()) result += ", ";
    result += text(element);
  }
  return result;
}

}  // namespace perfpact::p4::ast
