#include "explore/native/explorer.h"

#include "explore/native/machine.h"

namespace perfpact::explore {

NativeExplorer::NativeExplorer(const process::Process& process, const NativeOptions& options)
    : machine_(std::make_unique<Machine>(process, options)) {}

NativeExplorer::~NativeExplorer() = default;

void NativeExplorer::run(const std::function<void(const NativePath&)>& found) {
  machine_->run(found);
}

const std::vector<NativeGap>& NativeExplorer::gaps() const {
  return machine_->gaps();
}

Statistics NativeExplorer::statistics() const {
  return machine_->statistics();
}

std::vector<std::string> NativeExplorer::state() const {
  return machine_->state();
}

void NativeExplorer::report_assumptions(Diagnostics& diagnostics) const {
  machine_->report_assumptions(diagnostics);
}

void NativeExplorer::report_methods(Diagnostics& diagnostics) const {
  machine_->report_methods(diagnostics);
}

const lift::Site& NativeExplorer::site(std::uint32_t number) const {
  return machine_->site(number);
}

const process::Process& NativeExplorer::process() const {
  return machine_->process();
}

bool NativeExplorer::takes(const NativePath& path, smt::Model& model) {
  return machine_->takes(path, model);
}

std::vector<smt::Expr> NativeExplorer::symbols() const {
  return machine_->symbols();
}

smt::Context& NativeExplorer::context() {
  return machine_->context();
}

smt::Expr NativeExplorer::byte(std::uint32_t i) {
  return machine_->byte_symbol(i);
}

smt::Expr NativeExplorer::length() const {
  return machine_->length();
}

smt::Expr NativeExplorer::port() const {
  return machine_->port();
}

smt::Expr NativeExplorer::now_ns() const {
  return machine_->now_ns();
}

std::uint32_t NativeExplorer::longest() const {
  return machine_->longest();
}

smt::Answer NativeExplorer::judge(const NativePath& path, smt::Expr condition) {
  return machine_->judge(path, condition);
}

std::optional<NativePath> NativeExplorer::restricted(const NativePath& path, smt::Expr condition) {
  return machine_->restricted(path, condition);
}

NativePath NativeExplorer::with_witness(const NativePath& path, std::shared_ptr<const smt::Model> model) {
  return machine_->with_witness(path, std::move(model));
}

smt::Expr NativeExplorer::byte_behind(const NativePath& path, std::uint32_t i) {
  return machine_->byte_behind(path, i);
}

std::string to_string(const NativeVerdict& verdict) {
  if (verdict.error) return fmt::format("error({})", *verdict.error);
  switch (verdict.meaning) {
    case Entry::Meaning::Dropped:
      return "dropped";
    case Entry::Meaning::Flood:
      return "flood";
    case Entry::Meaning::Sent:
      break;
  }
  return fmt::format("sent({})", verdict.port);
}

}  // namespace perfpact::explore
