// Names that other tools accept: identifiers made from the names of programs, models, rows.
#pragma once
#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace perfpact::markov {

/// Makes identifiers ([A-Za-z_][A-Za-z0-9_]*), distinct for distinct names: `a.b` and `a-b` become `a_b` and
/// `a_b_2`. The caller asks once for each name.
class Identifiers {
 public:
  [[nodiscard]] std::string make(std::string_view text) {
    std::string identifier;
    for (const char c : text) identifier += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier.front())) != 0)
      identifier.insert(identifier.begin(), '_');
    std::string unique = identifier;
    for (int n = 2; !taken_.insert(unique).second; ++n) unique = fmt::format("{}_{}", identifier, n);
    return unique;
  }

 private:
  std::set<std::string> taken_;
};

}  // namespace perfpact::markov
