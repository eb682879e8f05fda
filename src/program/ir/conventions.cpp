#include "program/ir/conventions.h"

#include <fmt/format.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <array>
#include <charconv>

#include "base/check.h"

namespace perfpact::program::ir {
namespace {

constexpr std::string_view kPrefix = "perfpact.";

// Parameter and result types, one letter each: v void, b i1, i i32, l i64, w iW, p ptr, r the result of a
// look-up. Parameters begin after the machine; `more` says that others follow.
struct Signature {
  std::string_view name;
  char result;
  std::string_view parameters;
  bool more = false;
};
constexpr std::array<Signature, kIntrinsics> kSignatures{{
    {"event", 'v', "i"},
    {"decide", 'v', "il"},
    {"loop", 'b', "il"},
    {"packet.length", 'i', ""},
    {"packet.remaining", 'i', ""},
    {"packet.peek", 'w', "i"},
    {"packet.read_varbit", 'w', "i"},
    {"packet.advance", 'v', "i"},
    {"packet.emit", 'v', "w"},
    {"packet.emit_varbit", 'v', "wi"},
    {"packet.commit", 'v', ""},
    {"packet.truncate", 'v', "i"},
    {"table.lookup", 'r', "i", true},
    {"table.data", 'w', "i"},
    {"hash", 'l', "ib", true},
    {"register.read", 'w', "il"},
    {"register.write", 'v', "ilw"},
    {"counter", 'v', "il"},
    {"meter", 'i', "il"},
    {"random", 'w', "ww"},
    {"enqueue", 'v', "ipib", true},
    {"enqueue.group", 'b', "iplii", true},
    {"enqueue.clone", 'b', "iplibii", true},
    {"send", 'v', "l"},
    {"drop", 'v', ""},
    {"fail", 'v', "p"},
    {"finish", 'v', "i"},
    {"instruction", 'v', "i"},
    {"memory.load", 'w', "l"},
    {"memory.store", 'v', "lw"},
    {"trap", 'v', "i"},
    {"time", 'l', ""},
}};

const Signature& signature(Intrinsic intrinsic) {
  return kSignatures[static_cast<std::size_t>(intrinsic)];
}

constexpr bool has_width(const Signature& signature) {
  return signature.result == 'w' || signature.parameters.contains('w');
}

llvm::Type* to_type(char letter, std::uint32_t width, llvm::LLVMContext& context) {
  const auto integer = [&](unsigned bits) { return llvm::IntegerType::get(context, bits); };
  switch (letter) {
    case 'v':
      return llvm::Type::getVoidTy(context);
    case 'b':
      return integer(1);
    case 'i':
      return integer(32);
    case 'l':
      return integer(64);
    case 'w':
      return integer(bits_of_value(width));
    case 'p':
      return llvm::PointerType::get(context, 0);
    case 'r':
      return llvm::StructType::get(
          context, {integer(1), integer(32), integer(64), integer(64), integer(32), integer(64)});
    default:
      PERFPACT_CHECK(false, "no type '{}'", letter);
      return nullptr;
  }
}

std::size_t numbers(EventKind kind) {
  const auto& names = schema(kind).numbers;
  return static_cast<std::size_t>(std::ranges::find(names, "") - names.begin());
}

}  // namespace

std::string name(const IntrinsicId& id) {
  const Signature& found = signature(id.intrinsic);
  if (id.intrinsic == Intrinsic::Event)
    return fmt::format("{}{}.{}", kPrefix, found.name, schema(id.event).name);
  if (has_width(found)) return fmt::format("{}{}.{}", kPrefix, found.name, id.width);
  return fmt::format("{}{}", kPrefix, found.name);
}

std::optional<IntrinsicId> find_intrinsic(std::string_view function_name) {
  if (!function_name.starts_with(kPrefix)) return std::nullopt;
  const std::string_view rest = function_name.substr(kPrefix.size());
  constexpr std::string_view kEvent = "event.";
  if (rest.starts_with(kEvent)) {
    const auto kind = find_event_kind(rest.substr(kEvent.size()));
    if (!kind) return std::nullopt;
    return IntrinsicId{Intrinsic::Event, 0, *kind};
  }
  for (std::size_t i = 1; i < kSignatures.size(); ++i) {
    const Signature& candidate = kSignatures[i];
    const auto intrinsic = static_cast<Intrinsic>(i);
    if (!has_width(candidate)) {
      if (rest == candidate.name) return IntrinsicId{intrinsic, 0, {}};
      continue;
    }
    const std::size_t dot = candidate.name.size();
    if (!rest.starts_with(candidate.name) || rest.size() <= dot + 1 || rest[dot] != '.') continue;
    const std::string_view digits = rest.substr(dot + 1);
    std::uint32_t width = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), width);
    if (error == std::errc() && end == digits.end()) return IntrinsicId{intrinsic, width, {}};
  }
  return std::nullopt;
}

llvm::FunctionType* type(const IntrinsicId& id, llvm::LLVMContext& context) {
  const Signature& found = signature(id.intrinsic);
  std::vector<llvm::Type*> parameters{to_type('p', 0, context)};
  for (char letter : found.parameters) parameters.push_back(to_type(letter, id.width, context));
  if (id.intrinsic == Intrinsic::Event)
    parameters.insert(parameters.end(), numbers(id.event), to_type('l', 0, context));
  return llvm::FunctionType::get(to_type(found.result, id.width, context), parameters, found.more);
}

llvm::Function* declare(const IntrinsicId& id, llvm::Module& module) {
  const std::string full_name = name(id);
  if (llvm::Function* known = module.getFunction(full_name)) return known;
  auto* function = llvm::Function::Create(type(id, module.getContext()), llvm::Function::ExternalLinkage,
                                          full_name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addParamAttr(0, llvm::Attribute::NoCapture);
  return function;
}

}  // namespace perfpact::program::ir
