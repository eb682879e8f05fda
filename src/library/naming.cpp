#include "library/naming.h"

#include <algorithm>

namespace perfpact::library {
namespace {

std::optional<std::uint64_t> constant_of(const Outcome& outcome) {
  const Returned& returned = outcome.returned;
  if (returned.kind != Returned::Kind::Term || returned.term.kind != Term::Kind::Number) return std::nullopt;
  return returned.term.number;
}

// What of rax holds the result: of truth values the lowest byte, of numbers 32 bits, of pointers all.
std::uint64_t mask_of(const std::vector<Outcome>& outcomes) {
  constexpr std::uint64_t kByte = 0xff, kInt = 0xffff'ffff, kAll = ~std::uint64_t{0};
  std::uint64_t mask = kByte;
  for (const Outcome& outcome : outcomes) {
    const auto constant = constant_of(outcome);
    if (outcome.returned.kind == Returned::Kind::Object) return kAll;
    if (!constant || *constant > 1) mask = kInt;
  }
  return mask;
}

}  // namespace

const Outcome* outcome_returning(const Method& method, std::uint64_t rax) {
  const std::vector<Outcome>& outcomes = method.outcomes;
  const std::uint64_t mask = mask_of(outcomes);
  const auto can_return = [&](const Outcome& outcome) {
    if (outcome.returned.kind == Returned::Kind::Object) return rax != 0;
    const auto constant = constant_of(outcome);
    return !constant || (*constant & mask) == (rax & mask);
  };
  const auto found = std::ranges::find_if(outcomes, can_return);
  if (outcomes.size() == 1) return outcomes.data();
  return std::ranges::count_if(outcomes, can_return) == 1 ? &*found : nullptr;
}

std::string pcv_by_methods(const Pack& pack, const std::string& by_functions) {
  std::string name;
  std::size_t begin = 0;
  for (std::size_t dot = by_functions.find('.'); dot != std::string::npos;
       dot = by_functions.find('.', begin)) {
    const std::string function = by_functions.substr(begin, dot - begin);
    const auto method = std::ranges::find(pack.methods, function, &Method::function);
    name += (method == pack.methods.end() ? function : method->name) + ".";
    begin = dot + 1;
  }
  return name + by_functions.substr(begin);
}

}  // namespace perfpact::library
