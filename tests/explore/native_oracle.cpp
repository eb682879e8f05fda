#include "native_oracle.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <map>
#include <set>

#include "base/check.h"
#include "explore/native/mbuf.h"
#include "packet/packet.h"

namespace perfpact::explore::test {
namespace {

constexpr std::uint32_t kByte = 8;  // bits

Integer to_number(std::span<const std::uint8_t> bytes) {
  Integer number;
  import_bits(number, bytes.begin(), bytes.end(), kByte, false);
  return number;
}

std::vector<std::uint8_t> to_bytes(std::uint64_t number, std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  std::memcpy(bytes.data(), &number, count);
  return bytes;
}

// `packet[12]` by "packet[" and "]".
std::optional<std::size_t> index_in(std::string_view name, std::string_view before, std::string_view behind) {
  if (!name.starts_with(before) || !name.ends_with(behind)) return std::nullopt;
  name = name.substr(before.size(), name.size() - before.size() - behind.size());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return index;
}

std::vector<smt::Expr> symbols_of(std::span<const smt::Expr> roots) {
  std::vector<smt::Expr> symbols;
  smt::NodeMap<bool> seen;
  for (smt::Expr root : roots)
    smt::post_order(
        root, [&](smt::Expr expr) { return seen.find(expr) != nullptr; },
        [&](smt::Expr expr) {
          seen.set(expr, true);
          if (expr.is(smt::Op::Symbol)) symbols.push_back(expr);
        });
  return symbols;
}

// What the processor and the kernel make of an error.
std::string_view signal_of(std::string_view error) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSignals{
      {{"division", "FPE"}, {"an invalid instruction", "ILL"}, {"a breakpoint", "TRAP"}, {"", "SEGV"}}};
  return std::ranges::find_if(kSignals, [&](const auto& pair) { return error.starts_with(pair.first); })
      ->second;
}

}  // namespace

NativeInput NativeInput::of(const NativePath& path, const Entry& entry) {
  const NativeWitness& witness = path.witness;
  NativeInput input{.port = witness.port,
                    .length = witness.packet.size(),
                    .now_ns = witness.now_ns,
                    .buffer = witness.packet,
                    .state = {},
                    .times = witness.times};
  input.buffer.resize(entry.longest);
  for (const auto& [name, address, bytes] : witness.state) input.state.push_back({name, address, bytes});
  return input;
}

std::optional<Integer> NativeInput::value(std::string_view symbol) const {
  if (symbol == "port") return port;
  if (symbol == "length") return length;
  if (symbol == "now_ns") return now_ns;
  if (const auto i = index_in(symbol, "packet[", "]"); i && *i < buffer.size()) return buffer[*i];
  if (const auto i = index_in(symbol, "time#", ""); i && *i < times.size()) return times[*i];
  const auto variable = std::ranges::find(state, symbol, &Variable::name);
  if (variable == state.end()) return std::nullopt;
  return to_number(variable->bytes);
}

std::string NativeInput::to_string() const {
  std::string text =
      fmt::format("port {}, at {} ns, {} bytes: {}", port, now_ns, length,
                  packet::to_hex(std::span(buffer).first(std::min(buffer.size(), length + 8))));
  for (const NativeInput::Variable& variable : state)
    text += fmt::format(", {} = {}", variable.name, packet::to_hex(variable.bytes));
  return text;
}

NativeOracle::NativeOracle(const process::Launch& launch, NativeOptions options)
    : options_(std::move(options)) {
  options_.entry.function = launch.entry;
  Result<process::Process> process = process::Process::start(launch, diagnostics_);
  PERFPACT_CHECK(process.has_value(), "{}", diagnostics_.render());
  process_.emplace(std::move(*process));
  explorer_ = std::make_unique<NativeExplorer>(*process_, options_);
  explorer_->run([this](const NativePath& path) {
    paths_.push_back(path);
    std::vector<smt::Expr> roots = path.condition.to_vector();
    if (path.port) roots.push_back(path.port);
    for (const Read& read : path.reads) roots.push_back(read.address);
    symbols_.push_back(symbols_of(roots));
    // What is read follows from the rest.
    std::erase_if(symbols_.back(), [&](smt::Expr symbol) {
      return symbol.name().starts_with("merged.") ||
             std::ranges::find(path.reads, symbol, &Read::value) != path.reads.end();
    });
  });
}

process::Run NativeOracle::step(const NativeInput& input) const {
  const Entry& entry = options_.entry;
  process::Input forced{.registers = process_->registers()};
  auto& gpr = forced.registers.gpr;
  std::uint64_t packet = gpr[x86::kArguments[entry.packet]];
  if (entry.preset == Entry::Preset::Mbuf) {
    const std::uint64_t buffer = packet;
    std::array<std::uint8_t, 8> begin{};
    std::array<std::uint8_t, 2> offset{};
    EXPECT_TRUE(process_->read(buffer + mbuf::kBuffer, begin));
    EXPECT_TRUE(process_->read(buffer + mbuf::kDataOffset, offset));
    packet = to_number(begin).convert_to<std::uint64_t>() + to_number(offset).convert_to<std::uint64_t>();
    forced.memory.push_back({buffer + mbuf::kPort, to_bytes(input.port, 2)});
    forced.memory.push_back({buffer + mbuf::kPacketLength, to_bytes(input.length, 4)});
    forced.memory.push_back({buffer + mbuf::kDataLength, to_bytes(input.length, 2)});
  }
  if (entry.port) gpr[x86::kArguments[*entry.port]] = input.port;
  if (entry.length) gpr[x86::kArguments[*entry.length]] = input.length;
  if (entry.now_ns) gpr[x86::kArguments[*entry.now_ns]] = input.now_ns;
  forced.memory.push_back({packet, input.buffer});
  for (const NativeInput::Variable& variable : input.state)
    forced.memory.push_back({variable.address, variable.bytes});
  process::ReplayOptions how;
  how.wants_addresses = true;
  how.time = [&input](std::size_t index) { return index < input.times.size() ? input.times[index] : 0; };
  return process_->replay(forced, how);
}

// Paths are held by index: those that are asked for are ours.
const std::vector<smt::Expr>& NativeOracle::symbols(const NativePath& path) const {
  return symbols_.at(static_cast<std::size_t>(&path - paths_.data()));
}

std::shared_ptr<smt::Model> NativeOracle::model(const NativePath& path, const NativeInput& input) const {
  auto model = std::make_shared<smt::Model>();
  std::vector<smt::Expr> all = explorer_->symbols();
  std::ranges::copy(symbols(path), std::back_inserter(all));
  for (smt::Expr symbol : all) {
    const std::optional<Integer> value = input.value(symbol.name());
    EXPECT_TRUE(value) << "a condition speaks of " << symbol.name();
    if (value) model->set(symbol, smt::Value(symbol.width(), *value));
  }
  return model;
}

bool NativeOracle::takes(const NativePath& path, const NativeInput& input) const {
  return explorer_->takes(path, *model(path, input));
}

// `sent(1)`, `error(SIGFPE)`.
std::string NativeOracle::promised(const NativePath& path, const NativeInput& input) const {
  NativeVerdict verdict = path.witness.verdict;
  if (verdict.error) return fmt::format("error({})", signal_of(*verdict.error));
  if (path.port) {
    const auto values = model(path, input);
    EXPECT_TRUE(explorer_->takes(path, *values));
    verdict.port = smt::Evaluation(values).value(path.port).word();
  }
  return explore::to_string(verdict);
}

// What the run means by the entry's table of results.
std::string NativeOracle::ending(const process::Run& run) const {
  if (run.ending == process::Run::Ending::Signal) return fmt::format("error({})", sigabbrev_np(run.signal));
  if (run.ending != process::Run::Ending::Returned)
    return fmt::format("ending {}", static_cast<int>(run.ending));
  const auto result = static_cast<std::uint32_t>(run.registers.gpr[x86::Rax]);
  for (const auto& [value, meaning] : options_.entry.results)
    if (static_cast<std::uint32_t>(value) == result)
      return explore::to_string(NativeVerdict{.meaning = meaning, .port = result, .error = {}});
  return explore::to_string(NativeVerdict{.meaning = options_.entry.other, .port = result, .error = {}});
}

void NativeOracle::expect_same(const NativePath& path, const NativeInput& input,
                               const process::Run& run) const {
  // Of a path that was merged: behind the last merge.
  std::span<const std::uint64_t> addresses = run.addresses;
  if (path.origin) addresses = addresses.last(std::min(addresses.size(), path.sites.size()));
  std::size_t same = 0;
  while (same < path.sites.size() && same < addresses.size() &&
         explorer_->site(path.sites[same]).address == addresses[same])
    ++same;
  EXPECT_TRUE(same == path.sites.size() && same == addresses.size())
      << program::to_string(path.id) << " parts from the program behind " << same << " instructions, at "
      << process_->describe(same == 0 ? process_->entry() : addresses[same - 1]) << "; " << input.to_string();
  std::map<std::string, std::uint64_t> pcvs;
  for (const process::Process::Mark& mark : process_->marks())
    if (const auto count = std::ranges::count(run.addresses, mark.address); count > 0 && mark.kind == "pcv")
      pcvs[mark.name] += static_cast<std::uint64_t>(count);
  for (const NativePath::Pcv& pcv : path.pcvs)
    EXPECT_EQ(pcvs[pcv.name], pcv.value) << pcv.name << " of " << program::to_string(path.id);
  EXPECT_EQ(pcvs.size(), path.pcvs.size()) << program::to_string(path.id) << "; " << input.to_string();
  EXPECT_EQ(run.counts, path.counts) << program::to_string(path.id) << "; " << input.to_string();
  EXPECT_EQ(ending(run), promised(path, input)) << program::to_string(path.id) << "; " << input.to_string();
}

std::optional<std::size_t> NativeOracle::only_path(const NativeInput& input) const {
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < paths_.size(); ++i)
    if (takes(paths_[i], input)) taken.push_back(i);
  EXPECT_EQ(taken.size(), 1U) << "paths for " << input.to_string();
  if (taken.size() != 1) return std::nullopt;
  return taken.front();
}

void NativeOracle::change(NativeInput& input, smt::Expr symbol, std::mt19937& random) const {
  const auto change_byte = [&](std::uint8_t& byte) {
    const std::array<std::uint8_t, 3> ways{static_cast<std::uint8_t>(byte ^ (1U << (random() % kByte))),
                                           static_cast<std::uint8_t>(random()),
                                           static_cast<std::uint8_t>(byte + 1)};
    byte = ways[random() % ways.size()];
  };
  const std::string_view name = symbol.name();
  const auto variable = std::ranges::find(input.state, name, &NativeInput::Variable::name);
  if (variable != input.state.end()) {
    change_byte(variable->bytes[random() % variable->bytes.size()]);
  } else if (name == "length") {
    const Entry& entry = options_.entry;
    input.length = entry.shortest + random() % (entry.longest - entry.shortest + 1);
  } else if (name == "port") {
    input.port = random() % 2 == 0 ? random() % 4 : random() % 65536;
  } else if (name == "now_ns") {
    input.now_ns = (std::uint64_t{random()} << 32U | random()) >> (random() % 64);
  } else if (const auto i = index_in(name, "time#", "")) {
    input.times[*i] += random() % 1000;
  } else if (const auto at = index_in(name, "packet[", "]")) {
    change_byte(input.buffer[*at]);
  }
}

std::vector<NativeInput> NativeOracle::mutations(const NativePath& path, std::size_t count,
                                                 std::mt19937& random) const {
  constexpr std::size_t kTries = 30;  // for each
  constexpr std::size_t kChanges = 3;
  const std::vector<smt::Expr>& free = symbols(path);
  std::vector<NativeInput> inputs{NativeInput::of(path, options_.entry)};
  std::set<NativeInput> known(inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < kTries * count && inputs.size() < count; ++i) {
    NativeInput input = inputs[random() % inputs.size()];
    for (std::size_t changes = 1 + random() % kChanges; changes-- > 0;) {
      if (random() % 4 != 0 && !free.empty())
        change(input, free[random() % free.size()], random);
      else if (!input.buffer.empty())
        input.buffer[random() % input.buffer.size()] = static_cast<std::uint8_t>(random());
    }
    if (takes(path, input) && known.insert(input).second) inputs.push_back(std::move(input));
  }
  return inputs;
}

std::size_t NativeOracle::expect_all_true(std::size_t count, std::size_t stride) const {
  std::mt19937 random(1);
  std::size_t stepped = 0;
  for (std::size_t i = 0; i < paths_.size(); i += stride)
    for (const NativeInput& input : mutations(paths_[i], count, random)) {
      expect_same(paths_[i], input, step(input));
      ++stepped;
      if (::testing::Test::HasFailure()) return stepped;
    }
  return stepped;
}

std::vector<std::string> NativeOracle::verdicts() const {
  std::vector<std::string> verdicts;
  for (const NativePath& path : paths_) {
    const NativeVerdict& verdict = path.witness.verdict;
    verdicts.push_back(verdict.error ? "error: " + verdict.error->substr(0, verdict.error->find(" at "))
                                     : to_string(verdict));
  }
  std::ranges::sort(verdicts);
  return verdicts;
}

std::vector<std::string> NativeOracle::gaps() const {
  std::vector<std::string> gaps;
  for (const NativeGap& gap : explorer_->gaps()) gaps.push_back(gap.reason);
  std::ranges::sort(gaps);
  return gaps;
}

}  // namespace perfpact::explore::test
