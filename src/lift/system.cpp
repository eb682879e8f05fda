// What computes nothing, traps, or asks the machine.
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

using enum x86::Gpr;

void nothing(BlockLifter&) {}

template <Trap reason>
void stop(BlockLifter& block) {
  block.trap(reason);
}

template <Field field, bool value>
void set(BlockLifter& block) {
  block.set_flag(field, value);
}

void complement_carry(BlockLifter& block) {
  block.set_flag(Field::Cf, block.ir().CreateNot(block.flag(Field::Cf)));
}

void read_time(BlockLifter& block) {
  Value const time = block.call(program::ir::Intrinsic::Time, {});
  block.write_gpr(Rax, block.low(time, 32));
  block.write_gpr(Rdx, block.ir().CreateLShr(time, 32));
}

// APPROX(either): the processor's number (IA32_TSC_AUX) is taken to be 0.
void read_time_and_processor(BlockLifter& block) {
  read_time(block);
  block.write_gpr(Rcx, block.constant(32, 0));
}

}  // namespace

void add_system(Handlers& handlers) {
  for (const ZydisMnemonic hint :
       {ZYDIS_MNEMONIC_NOP, ZYDIS_MNEMONIC_ENDBR64, ZYDIS_MNEMONIC_ENDBR32, ZYDIS_MNEMONIC_PAUSE,
        ZYDIS_MNEMONIC_LFENCE, ZYDIS_MNEMONIC_MFENCE, ZYDIS_MNEMONIC_SFENCE, ZYDIS_MNEMONIC_PREFETCH,
        ZYDIS_MNEMONIC_PREFETCHW, ZYDIS_MNEMONIC_PREFETCHNTA, ZYDIS_MNEMONIC_PREFETCHT0,
        ZYDIS_MNEMONIC_PREFETCHT1, ZYDIS_MNEMONIC_PREFETCHT2})
    handlers[hint] = nothing;
  handlers[ZYDIS_MNEMONIC_UD0] = stop<Trap::InvalidOpcode>;
  handlers[ZYDIS_MNEMONIC_UD1] = stop<Trap::InvalidOpcode>;
  handlers[ZYDIS_MNEMONIC_UD2] = stop<Trap::InvalidOpcode>;
  handlers[ZYDIS_MNEMONIC_INT3] = stop<Trap::Breakpoint>;
  handlers[ZYDIS_MNEMONIC_HLT] = stop<Trap::Halt>;
  handlers[ZYDIS_MNEMONIC_SYSCALL] = stop<Trap::Syscall>;
  handlers[ZYDIS_MNEMONIC_CLC] = set<Field::Cf, false>;
  handlers[ZYDIS_MNEMONIC_STC] = set<Field::Cf, true>;
  handlers[ZYDIS_MNEMONIC_CLD] = set<Field::Df, false>;
  handlers[ZYDIS_MNEMONIC_STD] = set<Field::Df, true>;
  handlers[ZYDIS_MNEMONIC_CMC] = complement_carry;
  handlers[ZYDIS_MNEMONIC_RDTSC] = read_time;
  handlers[ZYDIS_MNEMONIC_RDTSCP] = read_time_and_processor;
}

}  // namespace perfpact::lift
