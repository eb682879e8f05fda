// What a native program costs as it runs for real: for each call of its entry function, that is for each
// packet, the instructions, loads and stores (docs/formats.md, "Counting native instructions"), those inside
// stateful methods apart.
//
//   count::count(options, [](const PacketCount& packet) { ... }, diagnostics);
//
// Two engines give the same: `step` executes the calls instruction by instruction under ptrace(2), `valgrind`
// runs the whole program under valgrind with a tool of ours (valgrind-tool/). Where PCVs count and outcomes
// are reached is said by the program's marks (nflib/include/perfpact.h). What a method is is said by marks
// too, unless there are contract packs: then the functions that they list are the methods, and methods,
// outcomes and PCVs have the names that the packs have.
//
// - A method begins where its first instruction is reached, by a call or a jump, and ends with the return or
//   indirect jump behind which its return address is off the stack. A jump to its beginning from within, with
//   the same stack, goes on with the same call.
// - Methods that a method calls are counted in it. Their PCVs carry their names: `erase.t` of a call of
//   `expire`. A method that calls itself is one call.
// - A call has the outcome that was reached last in it; where none is, and a pack tells by what is returned,
//   that one. Outcomes reached outside methods are of no call.
// - A thread that waits for another thread's call of the entry waits for ever: calls come one after the
//   other.
//
// Tested by tests/count.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "count/engine.h"
#include "explore/native/entry.h"
#include "library/pack.h"
#include "packet/packet.h"
#include "process/process.h"
#include "x86/executed.h"

namespace perfpact::count {

/// A call of a method out of the entry function's own code.
struct MethodCall {
  std::string method;
  /// What its handle points to (the first argument, unless a pack says otherwise): `flows`, `state+0x10`,
  /// `*(nat->0x18)`; `unnamed#1` where no global variable leads there. Empty where a pack says that it has
  /// none.
  std::string structure;
  std::string outcome;  // empty: none was reached
  std::map<std::string, std::uint64_t> pcvs;
  process::Counts counts;
};

/// One load or store.
struct Access {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool is_store = false;
  /// What is there: `packet+0xc`, `stack-0x18` (from where the return address is), a global variable
  /// (`state+0x10`), memory that a pointer in one leads to (`flows->0x40`, `*(flows->0x8)->0x340`); empty
  /// where that is not known.
  std::string place;
  std::string instruction;          // "nf_process+0x1c"
  std::optional<std::size_t> call;  // of PacketCount::calls, that it happened in
};

struct PacketCount {
  /// Left: it went on elsewhere than behind the call (longjmp). Ended: the program, or its
  /// thread.
  enum class Ending : std::uint8_t { Returned, Left, Signal, Ended, NotDecoded };
  Ending ending{};
  std::string signal;  // of Ending::Signal: "SIGSEGV"
  std::string at;      // of Ending::Signal and NotDecoded: "nf_process+0x1c"
  /// As the entry was called; nothing where the entry's convention does not tell or memory is not readable.
  std::optional<packet::Bytes> packet;
  std::uint32_t result = 0;  // of Ending::Returned
  process::Counts own;       // outside methods
  std::map<std::string, std::uint64_t> pcvs;
  std::vector<MethodCall> calls;
  std::vector<Access> accesses;      // in order, where asked for
  std::vector<x86::Executed> trace;  // what was executed, methods too, where asked for
};

struct Options {
  process::Launch launch;
  explore::Entry entry;
  Engine engine{};
  std::vector<library::Pack> packs;
  /// The packets of this capture in the place of the program's own; state is kept from one to the next.
  /// Engine::Step only.
  std::string capture;
  bool wants_profile = false;
  bool wants_accesses = false;  // Engine::Step only
  bool wants_trace = false;     // Engine::Step only
  /// Where valgrind's tool is; empty: beside perfpact, as it was built or installed.
  std::string tool_directory;
};

/// What an instruction cost in all calls together, inside methods or not.
struct Spot {
  std::string function;  // "nf_process", "libc.so.6!memcpy"; empty where no symbol is known
  std::string file;      // by the debug information; empty where there is none
  std::uint32_t line = 0;
  process::Counts counts;
};
using Profile = std::vector<Spot>;

using Sink = std::function<void(const PacketCount&)>;

/// Runs the program. Fails where it cannot be started or does not call its entry, and where it ends as
/// faulty; the packets until then were given. Gives the profile, where it is wanted.
[[nodiscard]] Result<Profile> count(const Options& options, const Sink& sink, Diagnostics& diagnostics);

}  // namespace perfpact::count
