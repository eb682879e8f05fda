#include "process/replay.h"

#include <csignal>

#include "process/copy.h"
#include "process/memory.h"
#include "process/ptrace.h"

namespace perfpact::process {

Replayer::Replayer(const Tracee& tracee, const PageCache& memory)
    : tracee_(tracee), steps_(memory, tracee.mappings) {}

Run Replayer::replay(const Input& input, const ReplayOptions& options) {
  const Copy copy(tracee_.thread, tracee_.syscall);
  if (copy.pid() == 0 || !write_registers(copy.pid(), input.registers))
    return {.ending = Run::Ending::Exited};
  const MemoryWriter memory(copy.pid());
  for (const Input::Bytes& bytes : input.memory)
    if (!memory.write(bytes.address, bytes.bytes))
      return {.ending = Run::Ending::Signal, .signal = SIGSEGV, .registers = input.registers};
  return step_to_return(copy.pid(), options, steps_, input.memory);
}

}  // namespace perfpact::process
