#include "report/conditions.h"

#include <fmt/format.h>

#include "smt/infix.h"

namespace perfpact::report {

std::vector<std::string> condition(const smt::Constraints& constraints) {
  std::vector<std::string> texts;
  for (smt::Expr expr : constraints.to_vector()) texts.push_back(smt::to_infix(expr));
  return texts;
}

std::string when(const std::vector<std::string>& condition) {
  std::string out;
  std::string_view head = "  when: ";
  for (const std::string& text : condition) {
    out += fmt::format("{}{}\n", head, text);
    head = "        ";
  }
  return out;
}

std::string hexadecimal(const Integer& value) {
  return "0x" + value.str(0, std::ios_base::hex);
}

}  // namespace perfpact::report
