#include "p4/core/lower.h"

#include <optional>
#include <vector>

#include "base/check.h"
#include "p4/core/loops.h"
#include "p4/core/lowering.h"
#include "p4/core/verify.h"

namespace perfpact::p4 {
namespace {

constexpr std::uint64_t kMaxBlocks = 1'000'000;  // executed at most in a pass, loops once

std::optional<Span> first_call(const core::Procedure& procedure) {
  for (const core::Block& block : procedure.blocks)
    for (const core::Instruction& instruction : block.instructions)
      if (std::holds_alternative<core::Call>(instruction.action) && instruction.at.is_known())
        return instruction.at;
  return std::nullopt;
}

/// A call (nowhere if it has none in the source) of the least procedure that has too many blocks; nothing if
/// no procedure has.
std::optional<Span> too_much_work(const core::Program& program) {
  const std::vector<std::uint64_t> blocks = core::work(program).blocks;
  std::optional<Span> place;
  std::uint64_t least = UINT64_MAX;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] <= kMaxBlocks || blocks[i] >= least) continue;
    least = blocks[i];
    place = first_call(program.procedures[i]).value_or(Span());
  }
  return place;
}

}  // namespace

namespace core {

Lowering::Lowering(const TypedProgram& typed, const std::string& name, Diagnostics& diagnostics)
    : typed_(typed), diagnostics_(diagnostics), program_(std::make_unique<Program>()) {
  program_->name = name;
}

std::unique_ptr<Program> Lowering::run() {
  global_ = &frames_.emplace_back();
  context_.frame = global_;
  for (const ast::EnumMember* error : typed_.errors()) program_->errors.push_back(error->name.text);
  for (const ast::Declaration* declaration : typed_.ast().declarations) {
    if (const auto* control = ast::dyn_cast<ast::Control>(declaration))
      for (const ast::Declaration* local : control->locals) local_owner_[local] = control;
    if (const auto* parser = ast::dyn_cast<ast::Parser>(declaration))
      for (const ast::Declaration* local : parser->locals) local_owner_[local] = parser;
    add_header_type(*declaration);
  }
  exited_ = new_slot("$exited", 1);
  rejected_ = new_slot("$rejected", 1);
  const std::size_t errors_before = diagnostics_.error_count();
  if (!lower_pipeline() || diagnostics_.error_count() != errors_before) return nullptr;
  return std::move(program_);
}

void Lowering::add_header_type(const ast::Declaration& declaration) {
  const auto* header = ast::dyn_cast<ast::Struct>(&declaration);
  if (header == nullptr || header->struct_kind != ast::StructKind::Header || !header->type_parameters.empty())
    return;
  packet::HeaderLayout layout{header->name.text, {}};
  for (const ast::Field* field : header->fields) {
    const Type* type = representation(typed_.type_of(*static_cast<const ast::Declaration*>(field)));
    if (type->is(TypeKind::Varbit)) continue;
    layout.fields.push_back({field->name.text, data_bits(typed_.types(), type)});
  }
  program_->header_types.push_back(std::move(layout));
}

}  // namespace core

Result<std::unique_ptr<core::Program>> lower(const TypedProgram& program, const std::string& name,
                                             Diagnostics& diagnostics) {
  core::Lowering lowering(program, name, diagnostics);
  std::unique_ptr<core::Program> lowered;
  try {
    lowered = lowering.run();
  } catch (const core::TooLarge&) {
    return std::unexpected(diagnostics.already_reported());
  }
  if (lowered == nullptr) return std::unexpected(diagnostics.already_reported());
  core::verify(*lowered);
  if (const std::optional<Span> place = too_much_work(*lowered)) {
    diagnostics.report(core::diag::kNotSupported, *place,
                       fmt::format("programs whose calls multiply to more than {} steps", kMaxBlocks));
    return std::unexpected(diagnostics.already_reported());
  }
  return lowered;
}

}  // namespace perfpact::p4
