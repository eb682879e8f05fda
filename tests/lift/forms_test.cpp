// Every form of docs/lift-x86.md against the processor.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "assembler.h"
#include "executor.h"
#include "forms.h"
#include "lift/lifting.h"
#include "processor.h"

namespace perfpact::lift {
namespace {

// How often a form is tried: variants in registers, addressing and immediates, states of each.
struct Extent {
  std::size_t variants, states;
};
constexpr Extent kUsual{4, 256};
constexpr Extent kWithControl{40, 32};  // an immediate of several fields
constexpr std::size_t kMiddle = 2048;   // of the page of data, around which operands lie
constexpr std::size_t kReach = 1024;    // what is random of it, to both sides
constexpr std::uint64_t kLowestAddresses =
    (std::uint64_t{1} << 46) - 1;  // the kernel returns to no other rsp

using Page = std::vector<std::uint8_t>;

std::uint64_t below(Random& random, std::uint64_t bound) {
  return random() % bound;
}

// Registers and memory in which the instruction has something to do.
class StateMaker {
 public:
  StateMaker(const x86::Instruction& instruction, std::string mnemonic, Random& random)
      : instruction_(instruction), mnemonic_(std::move(mnemonic)), random_(random) {}

  x86::Registers make(Page& page) {
    x86::Registers registers;
    for (std::uint64_t& value : registers.gpr) value = interesting_number(random_);
    for (auto& value : registers.xmm) value = {interesting_lanes(random_), interesting_lanes(random_)};
    registers.gpr[x86::Rsp] &= kLowestAddresses;
    registers.rip = instruction_.address;
    registers.rflags = random_() & kFlags;
    registers.fs_base = Processor::instance().fs_base();
    registers.gs_base = Processor::instance().gs_base();
    fill(page);
    limit_counts(registers);
    for (const ZydisDecodedOperand& operand : operands())
      if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) reach(operand, registers);
    steer(registers, page);
    return registers;
  }

 private:
  std::span<const ZydisDecodedOperand> operands() const {
    return std::span(instruction_.operands).first(instruction_.decoded.operand_count);
  }
  bool is(std::initializer_list<std::string_view> names) const {
    return std::ranges::any_of(names, [&](std::string_view name) { return mnemonic_.contains(name); });
  }

  void fill(Page& page) {
    const auto begin = page.begin() + (kMiddle - kReach);
    const bool is_monotonous = below(random_, 2) == 0 && is({"scas", "cmps"});
    const std::uint64_t everywhere = random_();
    for (std::size_t i = 0; i < 2 * kReach; i += sizeof(std::uint64_t)) {
      const std::uint64_t word = is_monotonous ? everywhere : interesting_lanes(random_);
      std::memcpy(&begin[static_cast<std::ptrdiff_t>(i)], &word, sizeof word);
    }
    if (is_monotonous) begin[static_cast<std::ptrdiff_t>(kReach + below(random_, 64))] ^= 1;
  }

  void limit_counts(x86::Registers& registers) {
    constexpr std::uint64_t kLargestCount = 70, kLargestRepetition = 20;
    std::uint64_t& rcx = registers.gpr[x86::Rcx];
    if (instruction_.repeats() || is({"loop", "cxz"}))
      rcx = below(random_, kLargestRepetition);
    else if (below(random_, 2) == 0)
      rcx = (rcx & ~std::uint64_t{0xff}) | below(random_, kLargestCount + 1);
    // Bit offsets that stay within the data; under lock in the same line of the cache.
    if (is({"bt"}) && instruction_.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER)
      set(instruction_.operands[1].reg.value, registers, below(random_, 2000) - 1000);
    if (mnemonic_ == "xlatb") registers.gpr[x86::Rax] = random_();
    if (mnemonic_ == "leave") registers.gpr[x86::Rbp] = anywhere();
    if (is({"pcmpestr"}))
      for (const auto length : {x86::Rax, x86::Rdx}) registers.gpr[length] = below(random_, 40) - 20;
    // Quotients that fit, more often than chance has it.
    if (!is({"div"})) return;
    const bool is_byte = instruction_.operands[0].size == 8;
    const std::uint64_t sign =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(registers.gpr[x86::Rax]) >> 63);
    const std::array<std::uint64_t, 4> highs{0, sign, below(random_, 100), random_()};
    const std::uint64_t high = highs[below(random_, highs.size())];
    if (is_byte)
      registers.gpr[x86::Rax] = (registers.gpr[x86::Rax] & 0xff) | (high & 0xff) << 8;
    else
      registers.gpr[x86::Rdx] = high;
  }

  // Vectors are aligned, but for one in four.
  std::uint64_t anywhere() {
    const std::uint64_t offset = below(random_, 256);
    const bool is_vector = std::ranges::any_of(operands(), [](const ZydisDecodedOperand& operand) {
      return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.size == 128;
    });
    const bool is_aligned = is({"lock", "xchg", "16b"}) || (is_vector && below(random_, 4) != 0);
    return Processor::instance().gs_base() + kMiddle + (is_aligned ? offset & ~std::uint64_t{15} : offset);
  }

  static void set(ZydisRegister name, x86::Registers& registers, std::uint64_t value) {
    const auto id = ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name));
    registers.gpr[static_cast<std::size_t>(id)] = value;
  }

  // The operand's address is within the data; of cmpxchg16b it is sometimes odd.
  void reach(const ZydisDecodedOperand& operand, x86::Registers& registers) {
    const auto& memory = operand.mem;
    std::uint64_t wanted = anywhere() - static_cast<std::uint64_t>(memory.disp.value);
    if (memory.segment == ZYDIS_REGISTER_FS) wanted -= registers.fs_base;
    if (memory.segment == ZYDIS_REGISTER_GS) wanted -= registers.gs_base;
    if (mnemonic_.contains("16b") && below(random_, 4) == 0) wanted += 1;
    if (memory.base == ZYDIS_REGISTER_RIP) return;
    const bool is_short = ZydisRegisterGetClass(memory.base) == ZYDIS_REGCLASS_GPR32;
    const std::uint64_t upper = is_short ? random_() << 32 : 0;
    if (memory.base == ZYDIS_REGISTER_NONE) {
      if (memory.index != ZYDIS_REGISTER_NONE)
        set(memory.index, registers, (wanted & ~std::uint64_t{15}) / memory.scale);
      return;
    }
    std::uint64_t offset = 0;
    if (memory.index != ZYDIS_REGISTER_NONE) {
      const std::uint64_t index = 16 * (below(random_, 1000) - 500);
      set(memory.index, registers, index);
      offset = index * memory.scale;
    }
    const std::uint64_t base = wanted - offset;
    set(memory.base, registers, upper != 0 ? (base & 0xffffffff) | upper : base);
  }

  std::uint64_t address(const ZydisDecodedOperand& operand, const x86::Registers& registers) const {
    const auto& memory = operand.mem;
    const auto value = [&](ZydisRegister name) -> std::uint64_t {
      if (name == ZYDIS_REGISTER_NONE) return 0;
      return name == ZYDIS_REGISTER_RIP ? instruction_.next() : value_of(name, registers);
    };
    std::uint64_t sum = value(memory.base) + value(memory.index) * memory.scale +
                        static_cast<std::uint64_t>(memory.disp.value);
    if (instruction_.decoded.address_width == 32) sum &= 0xffffffff;
    if (memory.segment == ZYDIS_REGISTER_FS) sum += registers.fs_base;
    if (memory.segment == ZYDIS_REGISTER_GS) sum += registers.gs_base;
    return sum;
  }

  // Values that only some instructions need: addresses of code to go to, flags to take, equal operands.
  void steer(x86::Registers& registers, Page& page) {
    const auto put = [&](std::uint64_t at, std::uint64_t value) {
      std::memcpy(&page[at - Processor::instance().gs_base()], &value, sizeof value);
    };
    const std::uint64_t target = Processor::instance().code() + 16 + below(random_, 64);
    const ZydisDecodedOperand& first = instruction_.operands[0];
    if (is({"ret"})) put(registers.gpr[x86::Rsp], target);
    if (is({"pop"}) && first.reg.value == ZYDIS_REGISTER_RSP)
      put(registers.gpr[x86::Rsp], interesting_number(random_) & kLowestAddresses);
    if (is({"popf"})) put(registers.gpr[x86::Rsp], (random_() & kFlags) | 0x202);
    if (is({"jmp", "call"}) && first.type == ZYDIS_OPERAND_TYPE_REGISTER)
      set(first.reg.value, registers, target);
    if (is({"jmp", "call"}) && first.type == ZYDIS_OPERAND_TYPE_MEMORY)
      put(address(first, registers), target);
    if (!is({"cmpxchg"}) || below(random_, 2) == 0) return;
    if (first.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      registers.gpr[x86::Rax] = value_of(first.reg.value, registers);
      return;
    }
    const std::size_t at = address(first, registers) - Processor::instance().gs_base();
    std::memcpy(&registers.gpr[x86::Rax], &page[at], sizeof(std::uint64_t));
    std::memcpy(&registers.gpr[x86::Rdx], &page[at + (is({"16b"}) ? 8 : 4)], sizeof(std::uint64_t));
  }

  static std::uint64_t value_of(ZydisRegister name, const x86::Registers& registers) {
    return registers.gpr[static_cast<std::size_t>(
        ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name)))];
  }

  const x86::Instruction& instruction_;
  std::string mnemonic_;
  Random& random_;
};

// One encoded instruction, lifted.
class Variant {
 public:
  Variant(const Form& form, std::span<const std::uint8_t> bytes, std::uint64_t address)
      : form_(form),
        bytes_(bytes.begin(), bytes.end()),
        address_(address),
        lifter_(context_, {.read = [this](auto at, auto to) { return read(at, to); },
                           .begins_block = [](std::uint64_t) { return true; }}),
        executor_({.load = [this](auto at, auto to) { std::ranges::copy(part(at, to.size()), to.begin()); },
                   .store = [this](auto at,
                                   auto from) { std::ranges::copy(from, part(at, from.size()).begin()); }}) {}

  /// What differs; empty where nothing does.
  std::string compare(Random& random) {
    Processor& processor = Processor::instance();
    const x86::Instruction instruction = *x86::decode(bytes_, address_);
    page_.assign(processor.data().size(), 0);
    const x86::Registers before = StateMaker(instruction, form_.mnemonic, random).make(page_);
    std::ranges::copy(page_, processor.data().begin());
    x86::Registers native = before, lifted = before;
    const int signal = processor.run(native);
    std::optional<Trap> trap;
    while (!trap) {
      trap = executor_.run(lifter_.block(lifted.rip), lifted).trap;
      if (lifted.rip != address_) break;
    }
    std::string difference = fault_difference(signal, trap);
    if (difference.empty() && signal == 0) difference = state_difference(native, lifted);
    if (difference.empty()) return difference;
    return fmt::format("{}: {}; before: {}", x86::to_string(instruction), difference, describe(before));
  }

 private:
  std::size_t read(std::uint64_t at, std::span<std::uint8_t> to) const {
    if (at != address_) return 0;
    std::ranges::copy(bytes_, to.begin());
    return bytes_.size();
  }
  std::span<std::uint8_t> part(std::uint64_t at, std::size_t size) {
    const std::uint64_t offset = at - Processor::instance().gs_base();
    if (offset > page_.size() - size) {
      outside_ = at;
      return std::span(scratch_).first(size);
    }
    return std::span(page_).subspan(offset, size);
  }

  std::string fault_difference(int signal, std::optional<Trap> trap) {
    if (outside_) return fmt::format("accesses {:#x}", *std::exchange(outside_, std::nullopt));
    std::optional<Trap> expected;
    if (signal == SIGFPE) expected = Trap::DivideError;
    if (signal == SIGILL) expected = Trap::InvalidOpcode;
    if (signal == SIGSEGV) expected = Trap::Misaligned;
    if (trap == expected) return "";
    return fmt::format("signal {}, trap {}", signal, trap ? static_cast<int>(*trap) : -1);
  }

  std::string state_difference(const x86::Registers& native, const x86::Registers& lifted) const {
    for (std::size_t i = 0; i < x86::kGprs; ++i)
      if (native.gpr[i] != lifted.gpr[i])
        return fmt::format("{} is {:#x}, lifted {:#x}", x86::kGprNames[i], native.gpr[i], lifted.gpr[i]);
    if (native.xmm != lifted.xmm) return "an xmm register";
    if (native.rip != lifted.rip) return fmt::format("to {:#x}, lifted {:#x}", native.rip, lifted.rip);
    const std::uint64_t flags = (native.rflags ^ lifted.rflags) & kFlags & ~form_.undefined;
    if (flags != 0) return fmt::format("flags {:#x} differ, {:#x} is right", flags, native.rflags & flags);
    if (!std::ranges::equal(page_, Processor::instance().data())) return "memory";
    return "";
  }

  static std::string describe(const x86::Registers& registers) {
    std::string text = fmt::format("rflags {:#x}", registers.rflags);
    for (std::size_t i = 0; i < x86::kGprs; ++i)
      text += fmt::format(" {} {:#x}", x86::kGprNames[i], registers.gpr[i]);
    return text;
  }

  const Form& form_;
  std::vector<std::uint8_t> bytes_;
  std::uint64_t address_;
  llvm::LLVMContext context_;
  Lifter lifter_;
  Executor executor_;
  Page page_;
  std::array<std::uint8_t, 16> scratch_{};
  std::optional<std::uint64_t> outside_;
};

std::vector<std::uint8_t> encode(const Form& form, const Assembler& assembler, Random& random) {
  constexpr int kAttempts = 40;
  const Processor& processor = Processor::instance();
  for (int i = 0; i < kAttempts; ++i) {
    std::vector<std::uint8_t> bytes =
        assembler.assemble(write_out(form, processor.code(), processor.gs_base(), random));
    if (!bytes.empty() && x86::decode(bytes, processor.code())) return bytes;
  }
  return {};
}

std::string source_path(const char* name) {
  return fmt::format("{}/{}", PERFPACT_SOURCE_DIR, name);
}

Extent extent_of(const Form& form) {
  const auto has = [&](const char* operand) { return std::ranges::count(form.operands, operand) != 0; };
  return has("x") && has("i8") ? kWithControl : kUsual;
}

TEST(FormsTest, EqualTheProcessor) {
  const std::vector<Form> forms = read_forms(source_path("docs/lift-x86.md"));
  const Assembler assembler;
  Processor& processor = Processor::instance();
  std::size_t states = 0;
  for (const Form& form : forms) {
    Random random(std::hash<std::string>()(form.name()));
    const Extent extent = extent_of(form);
    for (std::size_t i = 0; i < extent.variants; ++i) {
      const std::vector<std::uint8_t> bytes = encode(form, assembler, random);
      ASSERT_FALSE(bytes.empty()) << "not an instruction: " << form.name();
      processor.put(bytes);
      Variant variant(form, bytes, processor.code());
      std::string difference;
      for (std::size_t state = 0; state < extent.states && difference.empty(); ++state, ++states)
        difference = variant.compare(random);
      EXPECT_EQ(difference, "") << form.name();
    }
  }
  RecordProperty("forms", static_cast<int>(forms.size()));
  RecordProperty("states", static_cast<int>(states));
}

// What traps only, or asks the machine, is in lifter_test.cpp.
const std::set<std::string> kTestedApart{"ud0", "ud1", "int3", "hlt", "syscall", "rdtsc", "rdtscp"};
// Other names, or other encodings, of what the table has.
const std::set<std::string> kNotAssembled{"endbr32", "prefetch"};

TEST(FormsTest, ListsWhatIsLifted) {
  const Assembler assembler;
  std::set<std::string> listed;
  for (const Form& form : read_forms(source_path("docs/lift-x86.md"))) {
    Random random(1);
    const std::vector<std::uint8_t> bytes = encode(form, assembler, random);
    ASSERT_FALSE(bytes.empty()) << form.name();
    listed.insert(ZydisMnemonicGetString(x86::decode(bytes, 0)->decoded.mnemonic));
  }
  for (std::size_t i = 0; i < handlers().size(); ++i) {
    if (handlers()[i] == nullptr) continue;
    const std::string name = ZydisMnemonicGetString(static_cast<ZydisMnemonic>(i));
    EXPECT_TRUE(listed.contains(name) || kTestedApart.contains(name) || kNotAssembled.contains(name)) << name;
  }
}

}  // namespace
}  // namespace perfpact::lift
