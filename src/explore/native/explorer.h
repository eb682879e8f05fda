// Finds every execution path of a native program's per-packet function, from the kept process
// (process/process.h): its machine code is lifted block by block and run on a packet of symbols.
//
//   NativeExplorer explorer(process, options);
//   explorer.run([&](const NativePath& path) { ... });
//   explorer.gaps();
//
// Symbols: `packet[i]`, `length`, `port`, `now_ns`, `time#k` for the k-th reading of a clock, and the names
// of global variables that packets change. Those are found by exploring: what a path writes outside the stack
// and the packet is opened, any content being possible, and the program is explored again until nothing new
// is written.
//
// A load or store at an address that depends on the input is one access wherever it goes within a region of
// memory; outside every region the path ends in an error. The value of such a load is a symbol that is named
// by where it is read, `packet[(packet[14][3:0] * 4) + 14]`. Memory below the stack pointer and registers
// that the ABI leaves unspecified hold what they held in the kept process.
//
// Loop heads with a PCV mark (nflib/include/perfpact.h): states that meet there with equal counts and PCVs go
// on as one (merge.h). The path that comes of it stands for all of them: its id is that of theirs together.
// Tested by tests/explore.
#pragma once
#include <functional>
#include <memory>

#include "explore/native/entry.h"
#include "explore/native/state.h"

namespace perfpact::explore {

struct NativeLimits : SearchLimits {
  std::uint64_t instructions = 1'000'000;  // of a path
  std::uint32_t visits = 20'000;           // of a block on a path
  std::uint64_t candidates = 1 << 16;      // addresses of one load
  std::uint64_t stores = 256;              // addresses of one store
  int tries = 64;                          // of addresses of loads, for one question
  std::uint32_t rounds = 16;               // of opening state
  int ways = 512;  // through merges, of one path, before it is not known to be possible
};

struct NativeOptions {
  Entry entry;
  std::vector<library::Pack> packs;  // whose methods are cut out
  bool opens_state = true;           // false: state is that of the first packet
  bool merges = false;               // states that meet at a loop head with a PCV mark
  bool keeps_accesses = false;       // of paths that are not merged: NativePath::accesses
  bool keeps_memory = false;         // NativePath::memory
  NativeLimits limits;
  smt::Options solver;
};

struct NativeVerdict {
  Entry::Meaning meaning{};
  std::uint64_t port = 0;            // Sent
  std::optional<std::string> error;  // the program ends here
};
/// `sent(1)`, `flood`, `dropped`, `error(division by zero at ...)`.
[[nodiscard]] std::string to_string(const NativeVerdict& verdict);

/// An input that takes a path.
struct NativeWitness {
  std::uint64_t port = 0;
  std::uint64_t now_ns = 0;
  std::vector<std::uint8_t> packet;
  /// State that packets change, where the path's condition speaks of it.
  struct Variable {
    std::string name;
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::vector<Variable> state;
  std::vector<std::uint64_t> times;
  NativeVerdict verdict;
};

struct NativePath {
  program::PathId id{};
  /// Speaks of the values of `reads` too, and of what was merged.
  smt::Constraints condition;
  std::vector<Read> reads;
  std::shared_ptr<const Merge> origin;  // merge.h; null: one sequence of decisions
  Integer ways = 1;                     // sequences of decisions that this path stands for
  smt::Expr port;                       // of Sent, 64 bits
  smt::Expr returned;                   // what the entry function returns, 32 bits
  std::vector<smt::Expr> times;         // what clocks gave
  std::uint32_t result = 0;             // `returned`, for the witness
  process::Counts counts;
  /// Of its instructions, where it was merged only of those behind the last merge: members of a merge execute
  /// as many instructions, loads and stores, but not the same ones.
  std::vector<std::uint32_t> sites;
  /// In order, of each instruction too; where NativeOptions::keeps_accesses.
  std::vector<Access> accesses;
  std::vector<std::uint64_t> addresses;  // of the accesses, for the witness
  struct Pcv {
    std::string name;
    std::uint64_t value = 0;
  };
  std::vector<Pcv> pcvs;  // of the program's own marks that are reached, by name
  std::vector<NativeCall> calls;
  Memory memory;                              // as the path leaves it; where NativeOptions::keeps_memory
  std::vector<process::Cut::Result> results;  // of the calls, for the witness
  NativeWitness witness;
  /// To run the witness by Process::replay.
  process::Input input;
};

struct NativeGap {
  std::string reason;
  std::string at;  // "firewall.c:12", "nf_process+0x1c"
  smt::Constraints condition;
};

class NativeExplorer {
 public:
  /// Both outlive the explorer.
  NativeExplorer(const process::Process& process, const NativeOptions& options);
  ~NativeExplorer();

  /// To be called once.
  void run(const std::function<void(const NativePath&)>& found);

  [[nodiscard]] const std::vector<NativeGap>& gaps() const;
  [[nodiscard]] Statistics statistics() const;
  /// Names of the variables that packets change: opened, or written where state is not opened.
  [[nodiscard]] std::vector<std::string> state() const;
  /// Warns of assumptions on what is neither an argument nor in `state`.
  void report_assumptions(Diagnostics& diagnostics) const;
  /// Warns of methods of the packs whose code is there and is never called, and of names for structures that
  /// name no place.
  void report_methods(Diagnostics& diagnostics) const;
  [[nodiscard]] const lift::Site& site(std::uint32_t number) const;
  [[nodiscard]] const process::Process& process() const;

  /// Whether an input meets a path's condition. The model has the input's symbols; it gets the values of the
  /// path's reads.
  [[nodiscard]] bool takes(const NativePath& path, smt::Model& model);
  /// What a packet comes with: its bytes, the arguments, state that is opened.
  [[nodiscard]] std::vector<smt::Expr> symbols() const;

  // Questions about paths that were found.
  /// Of conditions; the explorer outlives its expressions.
  [[nodiscard]] smt::Context& context();
  [[nodiscard]] smt::Expr byte(std::uint32_t i);  // of the packet, 8 bits
  [[nodiscard]] smt::Expr length() const;         // 16 bits
  [[nodiscard]] smt::Expr port() const;
  [[nodiscard]] smt::Expr now_ns() const;
  [[nodiscard]] std::uint32_t longest() const;  // bytes of a packet
  /// Whether a packet on the path can meet the condition.
  [[nodiscard]] smt::Answer judge(const NativePath& path, smt::Expr condition);
  /// The part of the path where the condition holds, with a witness of its own; nothing where none is found.
  [[nodiscard]] std::optional<NativePath> restricted(const NativePath& path, smt::Expr condition);
  /// The path with another input as its witness: a model of its condition, with the values of its reads.
  [[nodiscard]] NativePath with_witness(const NativePath& path, std::shared_ptr<const smt::Model> model);
  /// A byte of the packet as the path leaves it, 8 bits; where NativeOptions::keeps_memory.
  [[nodiscard]] smt::Expr byte_behind(const NativePath& path, std::uint32_t i);

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace perfpact::explore
