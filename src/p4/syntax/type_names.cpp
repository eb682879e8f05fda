#include "p4/syntax/type_names.h"

#include <algorithm>
#include <ranges>

namespace perfpact::p4 {

bool TypeNames::is_type(std::string_view name) const {
  std::string key(name);
  for (const auto& scope : std::views::reverse(scopes_))
    if (auto found = scope.find(key); found != scope.end()) return found->second;
  return false;
}

bool TypeNames::is_global_type(std::string_view name) const {
  auto found = scopes_.front().find(std::string(name));
  return found != scopes_.front().end() && found->second;
}

std::vector<std::string> TypeNames::types() const {
  std::vector<std::string> result;
  for (const auto& scope : scopes_)
    for (const auto& [name, is_a_type] : scope)
      if (is_a_type) result.push_back(name);
  std::ranges::sort(result);
  return result;
}

}  // namespace perfpact::p4
