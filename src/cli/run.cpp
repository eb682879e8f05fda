#include "cli/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/check.h"
#include "cli/diagnostics.h"
#include "cli/exit_status.h"
#include "cli/expectations.h"
#include "cli/phases.h"
#include "packet/packet.h"
#include "report/run.h"
#include "tables/names.h"
#include "tables/stf.h"

namespace perfpact::cli {
namespace {

namespace core = p4::core;
namespace stf = tables::stf;

std::string_view to_string(core::ObjectKind kind) {
  constexpr std::array<std::string_view, 3> kNames{"register", "counter", "meter"};
  return kNames.at(static_cast<std::size_t>(kind));
}

bool compare(const Integer& left, std::string_view comparison, const Integer& right) {
  if (comparison == "==") return left == right;
  if (comparison == "!=") return left != right;
  if (comparison == "<") return left < right;
  if (comparison == "<=") return left <= right;
  if (comparison == ">") return left > right;
  PERFPACT_CHECK(comparison == ">=", "comparison '{}'", comparison);
  return left >= right;
}

// Places under two such rows, with a mark where digits differ.
std::string differences(const std::string& expected, const std::string& sent) {
  std::string marks;
  for (std::size_t i = 0; i < std::max(expected.size(), sent.size()); ++i) {
    const bool is_inside = i < expected.size() && i < sent.size();
    const bool is_prefix_end = i >= expected.size() && !expected.ends_with('$');
    const bool is_end = i + 1 == expected.size() && expected[i] == '$' && i == sent.size();
    const bool same =
        is_prefix_end || is_end || (is_inside && (expected[i] == '*' || expected[i] == sent[i]));
    marks += same ? ' ' : '^';
  }
  return marks;
}

class Test {
 public:
  Test(const core::Program& program, const Options& options, Diagnostics& diagnostics)
      : program_(program),
        options_(options),
        diagnostics_(diagnostics),
        installed_(program.tables),
        tables_(program.tables),
        engine_(make_engine(program, diagnostics.sources(), tables_, options, 0)) {}

  [[nodiscard]] Result<int> run();

 private:
  struct Ran {
    Span at;
    program::Trace trace;
  };
  using Done = Result<void>;

  /// Makes tables_ what installed_ says.
  Done install();
  Done run_one(const stf::Packet& packet, const Span& at);
  Done run_one(const stf::Expect& expect, const Span& at);
  Done run_one(const stf::ExpectNone& expect, const Span& at);
  Done run_one(const stf::Control& control, const Span& at);
  Done run_one(const stf::RegisterRead& read, const Span& at);
  Done run_one(const stf::RegisterWrite& write, const Span& at);
  Done run_one(const stf::RegisterReset& reset, const Span& at);
  Done run_one(const stf::CounterRead& read, const Span& at);
  Done run_one(const stf::CheckCounter& check, const Span& at);

  Result<core::ObjectId> find(core::ObjectKind kind, const stf::ObjectName& name);
  Result<core::ObjectId> find(core::ObjectKind kind, const stf::ObjectName& name, std::uint64_t index);
  /// Of a direct object the cells are the entries that are installed.
  Done check_index(core::ObjectId object, const stf::ObjectName& name, std::uint64_t index);
  [[nodiscard]] std::optional<PacketNumber> last() const {
    return ran_.empty() ? std::nullopt : std::optional(ran_.size() - 1);
  }
  [[nodiscard]] std::string name(PacketNumber packet) const;
  void print(const Failure& failure) const;
  void print_path(PacketNumber packet) const;
  int finish();

  const core::Program& program_;
  const Options& options_;
  Diagnostics& diagnostics_;
  stf::Installed installed_;
  bool is_installed_ = false;  // whether tables_ is what installed_ says
  tables::TableSet tables_;    // the engine refers to it; replaced in place
  std::unique_ptr<p4::Engine> engine_;
  std::vector<Ran> ran_;
  Expectations expectations_;
  std::size_t checks_ = 0;  // expectations beside those of packets
  std::vector<Failure> failures_;
};

Test::Done Test::install() {
  if (is_installed_) return {};
  auto built = installed_.build(diagnostics_);
  if (!built) return std::unexpected(built.error());
  tables_ = std::move(*built);
  is_installed_ = true;
  return {};
}

Test::Done Test::run_one(const stf::Packet& packet, const Span& at) {
  if (const Done installed = install(); !installed) return installed;
  expectations_.attach(packet.port);
  const program::InputPacket input{packet.port, packet.bytes};
  ran_.push_back({at, engine_->run(input)});
  const PacketNumber number = ran_.size() - 1;
  const program::Trace& done = ran_.back().trace;
  fmt::print("{}", report::outcome_text(name(number), input, done));
  if (options_.explain) print_path(number);
  for (const program::OutputPacket& output : done.outputs)
    expectations_.sent(output.port, packet::to_hex(output.bytes), number, at);
  return {};
}

Test::Done Test::run_one(const stf::Expect& expect, const Span& at) {
  expectations_.expect(expect, at, last());
  return {};
}

Test::Done Test::run_one(const stf::ExpectNone& /*expect*/, const Span& at) {
  ++checks_;
  if (!ran_.empty() && !ran_.back().trace.outputs.empty())
    failures_.push_back(
        {at, fmt::format("packets that left: {}, expected none", ran_.back().trace.outputs.size()), "", "",
         last()});
  return {};
}

Test::Done Test::run_one(const stf::Control& control, const Span& at) {
  installed_.apply(control, at, diagnostics_);
  is_installed_ = false;
  // With the entries their counters go.
  if (std::holds_alternative<stf::RemoveAll>(control))
    for (std::size_t i = 0; i < program_.objects.size(); ++i)
      if (program_.objects[i].table) engine_->reset_object(static_cast<core::ObjectId>(i));
  return {};
}

Test::Done Test::run_one(const stf::RegisterRead& read, const Span& /*at*/) {
  const auto object = find(core::ObjectKind::Register, read.name, read.index);
  if (!object) return std::unexpected(object.error());
  fmt::print("register {}[{}] = {}\n", program_.objects[core::index(*object)].name, read.index,
             engine_->register_cell(*object, read.index).str());
  return {};
}

Test::Done Test::run_one(const stf::RegisterWrite& write, const Span& /*at*/) {
  const auto object = find(core::ObjectKind::Register, write.name, write.index);
  if (!object) return std::unexpected(object.error());
  const core::Object& declared = program_.objects[core::index(*object)];
  if (write.value > all_ones(declared.width))
    return std::unexpected(diagnostics_.report(diag::kRegisterValue, write.name.span, write.value.str(),
                                               declared.width, declared.name));
  engine_->set_register_cell(*object, write.index, write.value);
  return {};
}

Test::Done Test::run_one(const stf::RegisterReset& reset, const Span& /*at*/) {
  const auto object = find(core::ObjectKind::Register, reset.name);
  if (!object) return std::unexpected(object.error());
  engine_->reset_object(*object);
  return {};
}

Test::Done Test::run_one(const stf::CounterRead& read, const Span& /*at*/) {
  const auto object = find(core::ObjectKind::Counter, read.name, read.index);
  if (!object) return std::unexpected(object.error());
  const p4::CounterCell cell = engine_->counter_cell(*object, read.index);
  fmt::print("counter {}[{}] = {} packets, {} bytes\n", program_.objects[core::index(*object)].name,
             read.index, cell.packets, cell.bytes);
  return {};
}

Test::Done Test::run_one(const stf::CheckCounter& check, const Span& at) {
  const auto object = find(core::ObjectKind::Counter, check.name);
  if (!object) return std::unexpected(object.error());
  const core::Object& counter = program_.objects[core::index(*object)];
  if (check.entry_of && check.entry_of != counter.table)
    return std::unexpected(diagnostics_.report(diag::kEntryCounter, check.name.span, counter.name,
                                               tables_.schema(*check.entry_of).name));
  if (const Done known = check_index(*object, check.name, check.index); !known) return known;
  ++checks_;
  const p4::CounterCell cell = engine_->counter_cell(*object, check.index);
  const std::uint64_t value = check.counts_bytes ? cell.bytes : cell.packets;
  if (!compare(value, check.comparison, check.value))
    failures_.push_back(
        {at,
         fmt::format("counter {}[{}] is {} {}, expected {} {}", counter.name, check.index, value,
                     check.counts_bytes ? "bytes" : "packets", check.comparison, check.value.str()),
         "", "", last()});
  return {};
}

Result<core::ObjectId> Test::find(core::ObjectKind kind, const stf::ObjectName& name) {
  struct Candidate {
    std::string name;
    core::ObjectId object;
  };
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < program_.objects.size(); ++i)
    if (program_.objects[i].kind == kind)
      candidates.push_back({program_.objects[i].name, static_cast<core::ObjectId>(i)});
  auto found = tables::resolve_name(candidates, name.text, name.span, diagnostics_, diag::kUnknownObject,
                                    to_string(kind));
  if (!found) return std::unexpected(found.error());
  return candidates[*found].object;
}

Result<core::ObjectId> Test::find(core::ObjectKind kind, const stf::ObjectName& name, std::uint64_t index) {
  const auto object = find(kind, name);
  if (!object) return object;
  if (const Done known = check_index(*object, name, index); !known) return std::unexpected(known.error());
  return object;
}

Test::Done Test::check_index(core::ObjectId object, const stf::ObjectName& name, std::uint64_t index) {
  const core::Object& declared = program_.objects[core::index(object)];
  std::uint64_t size = declared.size;
  if (declared.table) {
    if (const Done installed = install(); !installed) return installed;
    size = tables_.entry_count(*declared.table);
  }
  if (index < size) return {};
  return std::unexpected(diagnostics_.report(diag::kObjectIndex, name.span, declared.name, size, index));
}

std::string Test::name(PacketNumber packet) const {
  const Span& at = ran_[packet].at;
  return fmt::format("packet {} ({}:{})", packet + 1, diagnostics_.sources().name(at.file), at.begin.line);
}

void Test::print(const Failure& failure) const {
  fmt::print("failed: {}: {}\n", diagnostics_.sources().describe(failure.at), failure.reason);
  if (!failure.expected.empty()) fmt::print("  expected: {}\n", failure.expected);
  if (!failure.sent.empty()) fmt::print("  sent:     {}\n", failure.sent);
  if (!failure.expected.empty() && !failure.sent.empty())
    fmt::print("            {}\n", differences(failure.expected, failure.sent));
}

void Test::print_path(PacketNumber packet) const {
  fmt::print("{}", report::path_text(name(packet), ran_[packet].trace, diagnostics_.sources()));
}

int Test::finish() {
  for (Failure& failure : expectations_.failures()) failures_.push_back(std::move(failure));
  std::vector<PacketNumber> packets;
  for (const Failure& failure : failures_) {
    print(failure);
    if (failure.packet && std::ranges::find(packets, *failure.packet) == packets.end())
      packets.push_back(*failure.packet);
  }
  for (PacketNumber packet : packets) print_path(packet);
  fmt::print("{} packets, {} expectations, {} failures\n", ran_.size(), expectations_.count() + checks_,
             failures_.size());
  if (!failures_.empty()) return kExitNo;
  const auto is_gap = [](const Ran& ran) { return std::holds_alternative<program::Gap>(ran.trace.verdict); };
  return std::ranges::any_of(ran_, is_gap) ? kExitGaps : kExitOk;
}

Result<int> Test::run() {
  auto statements = stf::read(options_.stf, tables_, diagnostics_);
  if (!statements) return std::unexpected(statements.error());
  for (const stf::Statement& statement : *statements) {
    const Done done =
        std::visit([&](const auto& what) { return run_one(what, statement.span); }, statement.what);
    if (!done) return std::unexpected(done.error());
  }
  if (diagnostics_.has_errors()) return std::unexpected(diagnostics_.already_reported());
  return finish();
}

}  // namespace

Result<int> run_stf(const core::Program& program, const Options& options, Diagnostics& diagnostics) {
  return Test(program, options, diagnostics).run();
}

}  // namespace perfpact::cli
