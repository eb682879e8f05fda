// Values known at compile time (P4_16 specification, section 18).
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/number.h"
#include "p4/check/types.h"

namespace perfpact::p4 {

struct Constant;

struct ConstantList {
  std::vector<Constant> elements;  // of a tuple, list, struct or header literal: in field order
};
/// What a compile-time expression evaluates to.
///   Integer             int, bit<w>, int<w>, serializable enum (the representation), newtype
///   bool, std::string
///   const EnumMember*   member of an enum, error or match_kind
///   ConstantList        tuples, lists, structs, headers
struct Constant {
  std::variant<Integer, bool, std::string, const ast::EnumMember*, ConstantList> value;
  [[nodiscard]] const Integer* integer() const { return std::get_if<Integer>(&value); }
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&value); }
};

}  // namespace perfpact::p4
