// setcc, cmovcc, jcc.
#include "lift/lifting.h"

namespace perfpact::lift {
namespace {

constexpr std::size_t kConditions = static_cast<std::size_t>(Condition::NLE) + 1;

template <Condition condition>
void set(BlockLifter& block) {
  block.write(0, block.ir().CreateZExt(block.condition(condition), block.integer(block.width())));
}

// The source is read in any case, and 32 bits clear the upper half in any case.
template <Condition condition>
void move(BlockLifter& block) {
  Value const source = block.read(1);
  Value const old = block.read(0);
  block.write(0, block.ir().CreateSelect(block.condition(condition), source, old));
}

template <Condition condition>
void jump(BlockLifter& block) {
  const std::uint64_t next = block.instruction().next();
  block.branch(block.condition(condition), next + block.operand(0).imm.value.u, next);
}

// In the order of Condition.
constexpr std::array<std::array<ZydisMnemonic, 3>, kConditions> kMnemonics{{
    {ZYDIS_MNEMONIC_SETO, ZYDIS_MNEMONIC_CMOVO, ZYDIS_MNEMONIC_JO},
    {ZYDIS_MNEMONIC_SETNO, ZYDIS_MNEMONIC_CMOVNO, ZYDIS_MNEMONIC_JNO},
    {ZYDIS_MNEMONIC_SETB, ZYDIS_MNEMONIC_CMOVB, ZYDIS_MNEMONIC_JB},
    {ZYDIS_MNEMONIC_SETNB, ZYDIS_MNEMONIC_CMOVNB, ZYDIS_MNEMONIC_JNB},
    {ZYDIS_MNEMONIC_SETZ, ZYDIS_MNEMONIC_CMOVZ, ZYDIS_MNEMONIC_JZ},
    {ZYDIS_MNEMONIC_SETNZ, ZYDIS_MNEMONIC_CMOVNZ, ZYDIS_MNEMONIC_JNZ},
    {ZYDIS_MNEMONIC_SETBE, ZYDIS_MNEMONIC_CMOVBE, ZYDIS_MNEMONIC_JBE},
    {ZYDIS_MNEMONIC_SETNBE, ZYDIS_MNEMONIC_CMOVNBE, ZYDIS_MNEMONIC_JNBE},
    {ZYDIS_MNEMONIC_SETS, ZYDIS_MNEMONIC_CMOVS, ZYDIS_MNEMONIC_JS},
    {ZYDIS_MNEMONIC_SETNS, ZYDIS_MNEMONIC_CMOVNS, ZYDIS_MNEMONIC_JNS},
    {ZYDIS_MNEMONIC_SETP, ZYDIS_MNEMONIC_CMOVP, ZYDIS_MNEMONIC_JP},
    {ZYDIS_MNEMONIC_SETNP, ZYDIS_MNEMONIC_CMOVNP, ZYDIS_MNEMONIC_JNP},
    {ZYDIS_MNEMONIC_SETL, ZYDIS_MNEMONIC_CMOVL, ZYDIS_MNEMONIC_JL},
    {ZYDIS_MNEMONIC_SETNL, ZYDIS_MNEMONIC_CMOVNL, ZYDIS_MNEMONIC_JNL},
    {ZYDIS_MNEMONIC_SETLE, ZYDIS_MNEMONIC_CMOVLE, ZYDIS_MNEMONIC_JLE},
    {ZYDIS_MNEMONIC_SETNLE, ZYDIS_MNEMONIC_CMOVNLE, ZYDIS_MNEMONIC_JNLE},
}};

template <std::size_t... conditions>
void add_all(Handlers& handlers, std::index_sequence<conditions...>) {
  ((handlers[kMnemonics[conditions][0]] = set<static_cast<Condition>(conditions)>), ...);
  ((handlers[kMnemonics[conditions][1]] = move<static_cast<Condition>(conditions)>), ...);
  ((handlers[kMnemonics[conditions][2]] = jump<static_cast<Condition>(conditions)>), ...);
}

}  // namespace

void add_conditional(Handlers& handlers) {
  add_all(handlers, std::make_index_sequence<kConditions>());
}

}  // namespace perfpact::lift
