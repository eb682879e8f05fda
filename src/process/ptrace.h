// ptrace(2) in terms of x86::Registers, for the thread that traces.
#pragma once
#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>

#include "x86/registers.h"

namespace perfpact::process {

/// False where the process is gone, here and below.
[[nodiscard]] bool read_general(pid_t thread, user_regs_struct& registers);
[[nodiscard]] bool write_general(pid_t thread, const user_regs_struct& registers);
[[nodiscard]] x86::Registers read_registers(pid_t thread);
[[nodiscard]] bool write_registers(pid_t thread, const x86::Registers& registers);

[[nodiscard]] x86::Registers from_general(const user_regs_struct& general);  // without xmm
/// Sets what x86::Registers has; a system call that was under way is not begun again.
void to_general(const x86::Registers& registers, user_regs_struct& general);

/// Waits until the thread stops or ends; its status as wait(2) has it, nothing where there is no such thread.
[[nodiscard]] std::optional<int> wait_for(pid_t thread);

}  // namespace perfpact::process
