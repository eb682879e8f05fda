#include "p4/syntax/ast.h"

#include <array>

namespace perfpact::p4::ast {

namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += part;
  return result;
}

}  // namespace

const Annotation* find_annotation(const Annotations& annotations, std::string_view name) {
  for (const Annotation* annotation : annotations)
    if (annotation->name.text == name) return annotation;
  return nullptr;
}

std::string annotation_string(const Annotations& annotations, std::string_view name) {
  const Annotation* found = find_annotation(annotations, name);
  if (found == nullptr) return "";
  if (found->structured) {
    if (found->expressions.size() != 1) return "";
    const auto* literal = dyn_cast<StringLiteral>(found->expressions.front());
    return literal == nullptr ? "" : literal->value;
  }
  return joined(found->strings);
}

std::string_view spelling(BinaryOperator op) {
  static constexpr std::array<std::string_view, 21> kSpellings = {"*",  "/",  "%",  "+",  "-",  "|+|", "|-|",
                                                                  "<<", ">>", "<=", ">=", "<",  ">",   "!=",
                                                                  "==", "&",  "^",  "|",  "++", "&&",  "||"};
  return kSpellings.at(static_cast<std::size_t>(op));
}

std::string_view spelling(UnaryOperator op) {
  static constexpr std::array<std::string_view, 4> kSpellings = {"!", "~", "-", "+"};
  return kSpellings.at(static_cast<std::size_t>(op));
}

}  // namespace perfpact::p4::ast
