#include "p4/check/checker.h"

namespace perfpact::p4 {

Checker::Checker(TypedProgram& program, Diagnostics& diagnostics)
    : program_(program),
      state_(program),
      diagnostics_(diagnostics),
      types_(program.types()),
      unknown_(types_.get(TypeKind::Unknown)),
      bool_(types_.get(TypeKind::Bool)),
      int_(types_.get(TypeKind::InfInt)),
      void_(types_.get(TypeKind::Void)) {
  scopes_.emplace_back();
}

void Checker::run() {
  for (const ast::Declaration* declaration : program_.ast().declarations) {
    has_errors_ = has_errors_ || ast::isa<ast::ErrorDeclaration>(declaration);
    const auto* external = ast::dyn_cast<ast::Extern>(declaration);
    if (external != nullptr && !external->is_forward) whole_externs_.emplace(external->name.text, external);
  }
  for (const ast::Declaration* declaration : program_.ast().declarations) {
    check_declaration(*declaration);
    const bool can_be_main = ast::isa<ast::Instance>(declaration) || ast::isa<ast::Function>(declaration);
    if (declaration->name.text == "main" && !can_be_main)
      diagnostics_.report(diag::kBadMain, declaration->name.span);
  }
}

Result<std::shared_ptr<const TypedProgram>> check(std::shared_ptr<const ast::Ast> ast,
                                                  Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  auto program = std::make_shared<TypedProgram>(std::move(ast));
  Checker(*program, diagnostics).run();
  if (diagnostics.error_count() != errors_before) return std::unexpected(diagnostics.already_reported());
  return program;
}

}  // namespace perfpact::p4
