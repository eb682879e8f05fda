// A native program, run until its per-packet function is first called and kept there: all its threads stand,
// its memory is read as it is asked for, and packets can be run through it by forking it.
//
//   Result<Process> process = Process::start({.program = "build/router", .arguments = {...},
//                                             .entry = "nf_process"}, diagnostics);
//   process->registers().rip == process->entry();
//   Run run = process->replay(input, options);
//
// The program runs with address randomisation off, and all its symbols bound at load time (LD_BIND_NOW), so
// that addresses and counts are the same from run to run. Its standard input is empty; what it writes to
// standard output before the entry is kept (`output`).
//
// Once it stands, memory that it shares with others is made its own. Its children run on until then; the
// entry is to be called by itself. Not supported: an entry in a module that is loaded by dlopen(3), or one
// that is an indirect function. A replay's `clock_gettime` reads what the kernel has put into the vDSO's
// data meanwhile: cut it.
//
// Usable by several threads; replays run one after the other. Linux on x86-64 only (ptrace). Tested by
// tests/process.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "x86/registers.h"

namespace perfpact::process {

struct Launch {
  std::string program;  // a path
  std::vector<std::string> arguments;
  /// A function's name, `name+0x10`, or an address in hex (`0x1139`), in a position-independent program
  /// that of its file; each may have a module before it, `libnf.so!nf_process`.
  std::string entry;
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);  // to the first call of the entry
};

/// A part of the address space (proc(5), /proc/pid/maps).
struct Mapping {
  std::uint64_t begin = 0, end = 0;
  bool readable = false, writable = false, executable = false, shared = false;
  std::uint64_t offset = 0;  // in the file
  std::string file;          // "[stack]", "[heap]", empty for anonymous ones
};

/// A symbol of a module (the program, a shared library, the vDSO), where it lies in the process.
struct Symbol {
  std::string name;
  std::string module;  // file name without folders
  std::uint64_t address = 0;
  std::uint64_t size = 0;  // 0: unknown
  bool is_function = false;
  /// An indirect function (STT_GNU_IFUNC) whose implementation could not be told: the address is that of the
  /// function that chooses it.
  bool is_indirect = false;
};

/// Memory that was mapped for us into the process and that it knows nothing of: for what a function that is
/// cut gives pointers to. Zero at first, and in no `Mapping`.
struct Scratch {
  std::uint64_t begin = 0, end = 0;
};

struct Location {
  std::string file;  // as the debug information has it
  std::uint32_t line = 0;
  std::string function;  // the one whose code it is, where this was inlined the outermost
};

/// What one execution of the entry function begins with: where something is not given it is as the process
/// stands.
struct Input {
  x86::Registers registers;
  struct Bytes {
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::vector<Bytes> memory;
};

/// A function that is not run: what its call does is forced, then execution goes on behind the call. What
/// happens in between is not counted, only the call itself.
struct Cut {
  std::uint64_t function = 0;
  struct Result {
    std::array<std::optional<std::uint64_t>, x86::kGprs> gpr;  // null: as it was
    std::vector<Input::Bytes> memory;
  };
  /// The `call`-th call of this function in the run, from 0, with the registers at its first instruction.
  std::function<Result(std::size_t call, const x86::Registers& at)> result;
};

/// What the `index`-th rdtsc or rdtscp in the run gives, from 0; rdtscp's rcx is then 0.
using TimeSource = std::function<std::uint64_t(std::size_t index)>;

struct ReplayOptions {
  std::vector<Cut> cuts;
  TimeSource time;                       // null: what the processor says
  std::uint64_t instructions = 1 << 24;  // a run of more ends in Ending::Limit
  bool wants_addresses = false;
};

struct Counts {
  std::uint64_t instructions = 0, loads = 0, stores = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// From the first instruction of the entry function to its return, inclusive.
struct Run {
  /// Exited: killed from outside. NotDecoded: it came to an instruction that cannot be counted.
  enum class Ending : std::uint8_t { Returned, Signal, Exited, Syscall, Limit, NotDecoded };
  Ending ending{};
  int signal = 0;  // of Ending::Signal
  Counts counts;
  std::vector<std::uint64_t> addresses;  // of the instructions, where asked for
  x86::Registers registers;              // at the end
};

class Process {
 public:
  [[nodiscard]] static Result<Process> start(const Launch& launch, Diagnostics& diagnostics);
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();  // ends the program

  /// Of the entry function's first instruction.
  [[nodiscard]] std::uint64_t entry() const;
  /// As the entry is reached: the return address is at [rsp].
  [[nodiscard]] const x86::Registers& registers() const;

  /// Fills `bytes` from memory; false where part of it is not readable.
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::uint8_t> bytes) const;
  /// By rising address.
  [[nodiscard]] const std::vector<Mapping>& mappings() const;
  [[nodiscard]] const Mapping* mapping_of(std::uint64_t address) const;

  [[nodiscard]] Scratch scratch() const;

  /// The symbol that covers the address (functions before objects), or ends closest before it in the same
  /// module where symbols have no sizes; null where none does.
  [[nodiscard]] const Symbol* symbol_of(std::uint64_t address) const;
  /// All of this name, those of the program first.
  [[nodiscard]] std::vector<const Symbol*> find_symbols(std::string_view name) const;
  /// "nf_process+0x1c", "libc.so.6!memcpy", "router+0x1139" where there is no symbol: the same from run to
  /// run.
  [[nodiscard]] std::string describe(std::uint64_t address) const;
  /// A module's number (from 1: the program, then by falling address, the order of load) and the offset in
  /// its file's addresses; {0, address} outside.
  [[nodiscard]] std::pair<std::uint32_t, std::uint64_t> relative(std::uint64_t address) const;
  /// By the debug information; nothing where there is none.
  [[nodiscard]] std::optional<Location> location(std::uint64_t address) const;

  /// Every occurrence of a mark of this note section (see nflib's perfpact.h): name and address. Empty where
  /// the modules have none.
  struct Mark {
    std::string kind;  // "pcv", "outcome", "method", "entry"
    std::string name;
    std::uint64_t address = 0;
  };
  [[nodiscard]] const std::vector<Mark>& marks() const;

  /// Forks the process and steps the copy. `cuts` and `time` are called by another thread meanwhile.
  [[nodiscard]] Run replay(const Input& input, const ReplayOptions& options) const;

  /// What the program wrote before the entry, standard output and error together.
  [[nodiscard]] const std::string& output() const;

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace perfpact::process
