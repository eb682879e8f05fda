// Which names are types where the parser is: P4's grammar needs to know. A later declaration of a variable, a
// parameter or an instance hides a type of the same name.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace perfpact::p4 {

class TypeNames {
 public:
  TypeNames() : scopes_(1) {}

  void push() { scopes_.emplace_back(); }
  void pop() { scopes_.pop_back(); }
  /// Leaves only the outermost `depth` scopes.
  void cut(std::size_t depth) { scopes_.resize(depth); }
  [[nodiscard]] std::size_t depth() const { return scopes_.size(); }

  void declare_type(const std::string& name) { scopes_.back()[name] = true; }
  void declare_value(const std::string& name) { scopes_.back()[name] = false; }
  void declare_global_type(const std::string& name) { scopes_.front()[name] = true; }

  [[nodiscard]] bool is_type(std::string_view name) const;
  [[nodiscard]] bool is_global_type(std::string_view name) const;
  /// Every type name in scope, sorted.
  [[nodiscard]] std::vector<std::string> types() const;

 private:
  std::vector<std::unordered_map<std::string, bool>> scopes_;  // true: a type, false: a value
};

}  // namespace perfpact::p4
